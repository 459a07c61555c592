"""Days as a tournament writes them: in the language of its rules."""

from datetime import date

from service.tournaments.rules import Language

_MONTHS: dict[Language, str] = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre",
}


def dated(day: str, language: Language) -> str:
    """A day of ISO 8601 in a language: "31 March 2027", "31. März 2027"; "" stays ""."""
    if not day or language == "iso":
        return day
    at = date.fromisoformat(day)
    month = _MONTHS[language].split()[at.month - 1]
    match language:
        case "de":
            return f"{at.day}. {month} {at.year}"
        case "es":
            return f"{at.day} de {month} de {at.year}"
        case "fr":
            return f"{at.day if at.day > 1 else '1er'} {month} {at.year}"
        case _:
            return f"{at.day} {month} {at.year}"
