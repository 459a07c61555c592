"""What large providers sign of an email: the lists in `h=`, and the form in `c=`.

They were read in the signatures of emails to public mailing lists, as the archives of
lore.kernel.org and (T-Online) of sourceware.org show them, of the months named here. The emails
that tests sign after them are our own.
"""

from dataclasses import dataclass

from tests.service.signatures import signed


@dataclass(frozen=True)
class Provider:
    """How a provider signs an email that is new, and one that answers another."""

    name: str
    form: str
    new: str
    reply: str

    def sign(self, raw, **how):
        answers = b"\nin-reply-to:" in raw.partition(b"\n\n")[0].lower()
        names = (self.reply if answers else self.new).lower().split(":")
        covered = tuple(name.strip().encode() for name in names)
        return signed(raw, covered=covered, form=self.form, **how)


RELAXED, BLANKS = "relaxed/relaxed", "relaxed/simple"
_PROTON = "Feedback-ID:From:To:Cc:Date:Subject:Reply-To:Feedback-ID:Message-ID:BIMI-Selector"
_GMAIL = "from:to:cc:subject:date:message-id:reply-to"
_MAIL_RU = "From:Subject:Content-Type:Content-Transfer-Encoding:To:Cc"
_FASTMAIL = (
    "cc:cc:content-transfer-encoding:content-type:content-type:date:date:from:from:in-reply-to:"
    "in-reply-to:message-id:mime-version:references:reply-to:subject:subject:to:to"
)
_ZOHO = "Date:Date:From:From:To:To:Cc:Cc:Subject:Subject:Message-ID"
_MICROSOFT = "From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck"
_ICLOUD = "From:Content-Type:Mime-Version:Subject:Message-Id:To:Date:x-icloud-hme"
PROVIDERS = (
    Provider(  # May and October 2024
        "Gmail",
        RELAXED,
        f"to:subject:message-id:date:from:mime-version:{_GMAIL}",
        f"cc:to:subject:message-id:date:from:in-reply-to:references:mime-version:{_GMAIL}",
    ),
    Provider("Microsoft", RELAXED, _MICROSOFT, _MICROSOFT),  # September 2019, February 2026
    Provider(  # August 2019, November 2025
        "Yahoo",
        RELAXED,
        "From:To:Cc:Subject:Date:From:Subject:Reply-To",
        "From:To:Cc:Subject:Date:In-Reply-To:References:From:Subject:Reply-To",
    ),
    Provider(  # September 2020: written in the browser
        "Yahoo web",
        RELAXED,
        "Date:From:Reply-To:Subject:From:Subject",
        "Date:From:Reply-To:Subject:References:From:Subject",
    ),
    Provider(  # October 2022, October 2025
        "AOL",
        RELAXED,
        "From:To:Cc:Subject:Date:References:From:Subject:Reply-To",
        "Date:Subject:To:Cc:References:From:In-Reply-To:From:Subject:Reply-To",
    ),
    Provider("iCloud", RELAXED, _ICLOUD, _ICLOUD),  # May and September 2026
    Provider(  # October 2023, November 2022
        "GMX",
        BLANKS,
        "X-UI-Sender-Class:Date:To:Cc:From:Subject",
        "X-UI-Sender-Class:From:To:Cc:Subject:Date:In-Reply-To:References",
    ),
    Provider(  # December 2023, March 2024
        "web.de",
        BLANKS,
        "X-UI-Sender-Class:Date:To:Cc:From:Subject",
        "X-UI-Sender-Class:From:To:Subject:Date:In-Reply-To:References",
    ),
    Provider(  # September 2024, March 2026
        "Proton",
        RELAXED,
        f"Date:To:From:Subject:Message-ID:{_PROTON}",
        f"Date:To:From:Cc:Subject:Message-ID:In-Reply-To:References:{_PROTON}",
    ),
    Provider("Fastmail", RELAXED, _FASTMAIL, _FASTMAIL),  # September 2026
    Provider(  # January and May 2026
        "Zoho",
        RELAXED,
        f"{_ZOHO}:MIME-Version:Content-Transfer-Encoding:Message-Id:Reply-To",
        f"{_ZOHO}:References:MIME-Version:Content-Type:Content-Transfer-Encoding:In-Reply-To:"
        "Message-Id:Reply-To",
    ),
    Provider(  # November 2024, January 2025
        "Mail.ru",
        RELAXED,
        f"Content-Transfer-Encoding:MIME-Version:Message-ID:Date:Subject:Cc:To:From:{_MAIL_RU}",
        "In-Reply-To:Content-Type:MIME-Version:References:Message-ID:Subject:Cc:To:From:Date:"
        f"{_MAIL_RU}",
    ),
    Provider(  # July 2026, January 2024
        "Yandex",
        RELAXED,
        "Message-ID:Date:Cc:Subject:To:From",
        "In-Reply-To:Cc:References:To:Message-ID:Date:Subject:From",
    ),
    Provider(  # July 2026; no reply was found
        "T-Online",
        RELAXED,
        "To:Reply-To:From:Subject:Date",
        "To:Reply-To:From:Subject:Date",
    ),
)
BY_NAME = {provider.name: provider for provider in PROVIDERS}
