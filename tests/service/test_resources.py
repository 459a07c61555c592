"""The folders that travel with the program are found in a checkout and in an installed copy."""

from pathlib import Path

import pytest

from service import resources

ROOT = Path(__file__).resolve().parents[2]


def test_a_checkout_has_the_folders_beside_the_package() -> None:
    assert resources.folder("config") == ROOT / "config"
    assert resources.folder("templates") == ROOT / "templates"


def test_an_installed_copy_has_them_inside_and_looks_there_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "service"
    (package / "templates").mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    monkeypatch.setattr(resources, "files", {"service": package}.__getitem__)
    assert resources.folder("templates") == package / "templates"


def test_a_folder_that_is_nowhere_is_an_error_that_names_it() -> None:
    with pytest.raises(FileNotFoundError, match="'pictures'"):
        resources.folder("pictures")
