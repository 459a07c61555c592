"""The settings of a scenario, without those of a file or of the environment."""

from collections.abc import Mapping

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from service.settings import Settings, checked


class _Bare(Settings):
    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only the given values: the environment may be that of another service."""
        return (init_settings,)


def given(values: Mapping[str, str]) -> Settings:
    """The settings that ``section.key`` names; all others have their defaults.

    Raises SettingsError with a line for each fault.
    """
    tables: dict[str, dict[str, str]] = {}
    for key, value in values.items():
        section, _, name = key.partition(".")
        tables.setdefault(section, {})[name] = value
    return checked(_Bare, tables)
