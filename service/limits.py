"""The settings that limit answers and messages, and the base class of all settings sections."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from service.rations import DAY, HOUR, Rations


class Section(BaseModel):
    """A table of the TOML file. An unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


def key(default: Any, description: str, **rules: Any) -> Any:  # noqa: ANN401 - as pydantic's Field
    """A key of a section: its default, its description, and rules as in pydantic's Field."""
    return Field(default=default, description=description, **rules)


class LimitsSection(Section):
    """How many answers Waybill sends, and how many messages it passes on."""

    error_minutes: PositiveInt = key(
        10, "Minutes between warnings to one person of emails in a player's name, and of bugs."
    )
    errors_a_day: PositiveInt = key(20, "Such warnings to one person in a day.")
    stranger_hour: PositiveInt = key(
        6, "Answers in an hour to one mailbox whose emails prove no seat, whatever its plus part."
    )
    stranger_day: PositiveInt = key(20, "The same in a day.")
    domain_hour: PositiveInt = key(
        60, "Answers in an hour to all mailboxes of one domain whose emails prove no seat."
    )
    domain_day: PositiveInt = key(200, "The same in a day.")
    everybody_hour: PositiveInt = key(
        200,
        "Answers in an hour to all emails that prove no seat; the operator hears of the last one.",
    )
    everybody_day: PositiveInt = key(1000, "The same in a day.")
    puzzled_hour: PositiveInt = key(
        6,
        "Answers in an hour to a seat's emails that were not understood; later ones get one "
        "combined answer.",
    )
    puzzled_day: PositiveInt = key(30, "The same in a day.")
    idle_hour: PositiveInt = key(
        60, "Answers in an hour to a seat's emails that were understood and changed nothing."
    )
    idle_day: PositiveInt = key(300, "The same in a day.")
    talk_hour: PositiveInt = key(30, "Emails in an hour with messages of a player to the others.")
    talk_day: PositiveInt = key(100, "The same in a day.")
    talk_characters: PositiveInt = key(
        2000, "Characters of messages in one email; a longer one is refused as a whole."
    )

    @property
    def answers(self) -> Rations:
        """The limits of each kind of answer, as pairs (number of answers, seconds)."""
        return {
            "error": ((1, 60 * self.error_minutes), (self.errors_a_day, DAY)),
            "held": ((1, 60 * self.error_minutes), (2, HOUR)),
            "away": ((1, 60 * self.error_minutes), (self.errors_a_day, DAY)),
            "stranger": ((self.stranger_hour, HOUR), (self.stranger_day, DAY)),
            "domain": ((self.domain_hour, HOUR), (self.domain_day, DAY)),
            "everybody": ((self.everybody_hour, HOUR), (self.everybody_day, DAY)),
            "puzzled": ((self.puzzled_hour, HOUR), (self.puzzled_day, DAY)),
            "idle": ((self.idle_hour, HOUR), (self.idle_day, DAY)),
            "talk": ((self.talk_hour, HOUR), (self.talk_day, DAY)),
        }
