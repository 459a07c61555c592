"""Answers of real mail servers: whose trouble each is, and what becomes of the letter.

``seen`` names where an answer stands: a provider's own documentation, or a report with the bytes of
the answer.
"""

import pytest

from service.mail import refusals

GMAIL = "support.google.com/a/answer/3726730"
EXCHANGE = "learn.microsoft.com, exchange/troubleshoot/send-emails/smtp-submission-improvements"
THROTTLE = "learn.microsoft.com, continuous-error-throttling-smtp-auth-submissions"
NDR = "learn.microsoft.com, non-delivery-reports-in-exchange-online"
SES = "docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html"
YAHOO = "help.yahoo.com/l/in/yahoo/mail/original/abuse/abuse-57.html"
MAILCOW = "github.com/mailcow/mailcow-dockerized/issues/1693"

#: code, words, said to, whose trouble, what becomes of the letter, where it was seen
TABLE = [
    # our account has sent all that it may: the letter waits, and all others with it
    (550, "5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits "
     "go to https://support.google.com/a/answer/166852 a-b.29 - gsmtp", "data", "limit", "limited",
     "github.com/onepub-dev/onepub/issues/543"),
    (550, "5.4.5 Daily user sending quota exceeded. a - gsmtp", "data", "limit", "limited",
     "github.com/PHPMailer/PHPMailer/issues/2113"),
    (450, "4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.", "rcpt",
     "limit", "limited", GMAIL),
    (554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException", "data", "limit",
     "limited", "github.com/MicrosoftDocs/OfficeDocs-Support/issues/1150"),
    (550, "5.1.90 Your message can't be sent because you've reached your daily limit for message "
     "recipients", "data", "limit", "limited",
     "github.com/MicrosoftDocs/OfficeDocs-Exchange/issues/2729"),
    (550, "5.7.705 Access denied, tenant has exceeded threshold.", "data", "limit", "limited",
     "learn.microsoft.com, fix-error-code-5-7-700-through-5-7-750"),
    (550, "5.7.232 Your message can't be sent because your trial tenant has exceeded its daily limit "
     "for sending email to external recipients (tenant external recipient rate limit)", "data",
     "limit", "limited", NDR),
    (550, "5.7.233 Your message can't be sent because your tenant exceeded its daily limit for "
     "sending email to external recipients (tenant external recipient rate limit)", "data", "limit",
     "limited", NDR),
    (550, "5.7.236", "data", "limit", "limited", "techzine.eu, 134017, which does not quote words"),
    (550, "5.2.2 Submission quota exceeded", "data", "limit", "limited", NDR),
    (432, "4.3.2 Concurrent connections limit exceeded.", "mail", "limit", "limited", EXCHANGE),
    (432, "4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded.", "data", "limit", "limited",
     "techcommunity.microsoft.com, Exchange team blog, 607825"),
    (550, "5.2.251 Sender throttled due to continuous mailbox full errors.", "data", "limit",
     "limited", THROTTLE),
    (550, "5.2.255 Sender throttled due to continuous invalid recipients errors.", "data", "limit",
     "limited", THROTTLE),
    (554, "5.2.0 STOREDRV.Submission.Exception:OutboundSpamException; Failed to process message due "
     "to a permanent exception with message WASCL UserAction verdict is not None. Actual verdict is "
     "RefuseQuota, ShowTierUpgrade.", "data", "limit", "limited",
     "github.com/Youans/nodejs-nodemailer-outlook/issues/11"),
    (421, "4.4.2 Message submission rate for this client has exceeded the configured limit", "mail",
     "limit", "limited", "portal.iridis.uk, knowledge base, 164"),
    (454, "Throttling failure: Maximum sending rate exceeded", "data", "limit", "limited", SES),
    (454, "Throttling failure: Daily message quota exceeded.", "data", "limit", "limited", SES),
    (454, "4.7.0 Throttling failure: Daily message quota exceeded.", "rcpt", "limit", "limited", SES),
    (550, "5.4.6 Unusual sending activity detected. <a href=https://www.zoho.com/mail/help/"
     "usage-policy.html>Learn more.</a>", "data", "limit", "limited",
     "github.com/cachethq/cachet/issues/3052"),
    (550, "Domain example.com has exceeded the max emails per hour (250/200 (125%)) allowed. Message "
     "discarded.", "rcpt", "limit", "limited", "forums.cpanel.net, 703725"),
    (550, "Domain example.com has exceeded the max defers and failures per hour (5/5 (100%)) "
     "allowed. Message discarded.", "rcpt", "limit", "limited",
     "my.ultrawebhosting.com, knowledge base, 392"),
    (550, "5.4.5 <ann@x.test>: Recipient address rejected: Domain Sending Quota Exceeded", "rcpt",
     "limit", "limited", "pastebin.com/v3bkLPK5, outbound-us2.mailhostbox.com"),
    (554, "5.7.1 <ann@x.test>: Recipient address rejected: You have exceeded your Outmail quota.",
     "rcpt", "limit", "limited", "prolateral.com, knowledge base, 530"),
    (550, "5.7.1 Your mail limit has been reached.", "data", "limit", "limited",
     "support.startmail.com, 360006737337"),
    (554, "5.7.1 <DATA>: Data command rejected: limit of 400 rcpts per 24 hours for client a@x.test "
     "reached", "data", "limit", "limited", "github.com/deltachat/deltachat-core/issues/647"),
    (451, '4.7.1 Ratelimit "mailcow" exceeded', "data", "limit", "limited", MAILCOW),
    (450, "4.7.1 <a@x.test>: Sender address rejected: sorry, max 2 requests per hour.", "rcpt",
     "limit", "limited", "github.com/docker-mailserver/docker-mailserver/issues/1476"),
    (450, "4.7.1 <a@x.test>: Sender address rejected: Deferring: Too many messages from sender in "
     "last 60", "rcpt", "limit", "limited", "pastebin.com/V80548k6, policyd"),
    (450, "too many emails from this sender, please try again later", "rcpt", "limit", "limited",
     "caorda.com, 16601"),
    (451, "You've exceeded your messaging limits", "data", "limit", "limited",
     "github.com/WA-WF-Bot/WA-WF-Bot-Public/issues/282, SendGrid"),
    (451, "Authentication failed: Maximum credits exceeded", "mail", "limit", "limited",
     "github.com/mautic/mautic/issues/8721, SendGrid"),
    (550, "User a@x.test has exceeded its 24-hour sending limit. Messages to 25 recipients out of 25",
     "data", "limit", "limited", "github.com/nodemailer/nodemailer/issues/1137"),
    (450, "message count quota exceeded", "rcpt", "limit", "limited",
     "kunden.aditsystems.de/wiki/email/message_count_quota"),
    # our account may not send so: the letter waits
    (554, "5.2.2 mailbox full; STOREDRV.Submission.Exception:QuotaExceededException."
     "MapiExceptionShutoffQuotaExceeded", "data", "account", "denied", EXCHANGE),
    (550, "5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.", "data",
     "account", "denied", "learn.microsoft.com, fix-error-code-5-7-700-through-5-7-750"),
    (550, "5.1.8 Access denied, bad outbound sender", "data", "account", "denied", NDR),
    (554, "5.1.8 Sender Address Blocked", "mail", "account", "denied",
     "help.zoho.com, community, issue-with-outgoing-mail"),
    (530, "Must issue a STARTTLS command first.", "mail", "account", "denied",
     "zoho.com/zeptomail/help/api/smtp-error-codes.html"),
    (553, "5.7.1 <a@x.test>: Sender address rejected: not owned by user b@x.test", "rcpt", "account",
     "denied", "freeport-outlet.ru/en/oshibki-otpravki-i-varianty-ih-ustraneniya"),
    # ours, if no other letter passes
    (554, "5.7.1 <ann@x.test>: Recipient address rejected: Quota exceeded", "rcpt", "perhaps",
     "perhaps", "pastebin.com/HJQ7Mvep, mail12.zenbox.pl"),
    # the recipient
    (452, "4.2.2 The email account that you tried to reach is over quota.", "rcpt", "recipient",
     "later", GMAIL),
    (552, "5.2.2 The email account that you tried to reach is over quota and inactive.", "rcpt",
     "recipient", "never", GMAIL),
    (450, "4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend "
     "your message at a later time.", "rcpt", "recipient", "later", GMAIL),
    (550, "5.1.1 The email account that you tried to reach does not exist.", "rcpt", "recipient",
     "never", GMAIL),
    (554, "delivery error: dd Sorry, your message to a@x.test cannot be delivered. This account is "
     "over quota.", "rcpt", "recipient", "never", YAHOO),
    (554, "delivery error: dd This user doesn't have a yahoo.com account", "rcpt", "recipient",
     "never", YAHOO),
    (550, "Requested action not taken: mailbox unavailable", "rcpt", "recipient", "never",
     "support.gmx.com/email/composing-and-sending/bounce-reject.html"),
    # this letter
    (552, "5.3.4 Message size exceeds fixed limit", "mail", "message", "never",
     "pastebin.com/dL6LBCdj"),
    (552, "5.7.1 virus Win.Test.EICAR_HDB-1 detected by Zoho Mail.", "data", "message", "never",
     "zoho.com/zeptomail/help/api/smtp-error-codes.html"),
    (571, "5.7.1 message classified as spam", "data", "message", "never",
     "bytecamp.net/de/faq/email/zustellen.html"),
    # a server, for now
    (421, "4.3.0 Temporary System Problem. Try again later", "mail", "server", "later", GMAIL),
    (421, "4.4.5 Server busy, try again later.", "mail", "server", "later", GMAIL),
    (421, "4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or "
     "user complaints", "data", "server", "later", "smtpfieldmanual.com/provider/yahoo/421/4.7.0"),
    (432, "4.3.2 STOREDRV.Deliver; recipient thread limit exceeded", "data", "server", "later", NDR),
    (451, "4.3.5 <ann@x.test>: Recipient address rejected: Server configuration problem", "rcpt",
     "server", "later", "github.com/docker-mailserver/docker-mailserver/issues/1478"),
    (452, "4.3.1 Insufficient system storage", "mail", "server", "later",
     "github.com/muquit/mailsend/issues/15"),
    (451, "Temporary local problem - please try later", "rcpt", "server", "later",
     "github.com/roundcube/roundcubemail/issues/7448"),
    (450, "4.2.0 <ann@x.test>: Recipient address rejected: Greylisted", "rcpt", "recipient", "later",
     "bytecamp.net/de/faq/email/zustellen.html"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "words", "stage", "whose", "fate"),
    [row[:5] for row in TABLE],
    ids=[f"{row[0]} {row[1][:30]}" for row in TABLE],
)
def test_each_answer_is_laid_to_whom_it_concerns(code, words, stage, whose, fate):
    found = refusals.whose(code, words, stage)
    assert found == whose
    assert refusals.fate({found}, code < 500) == fate


@pytest.mark.parametrize("row", TABLE, ids=[f"{row[0]} {row[1][:30]}" for row in TABLE])
def test_only_what_is_the_recipient_s_or_the_letter_s_means_an_address_that_is_gone(row):
    """The same words, as a delivery report or the note of a letter has them."""
    note = f"came back: {row[0]} {row[1]}"
    if row[3] == "limit" or "STOREDRV.Submission" in row[1]:
        assert refusals.ours(note)
        assert not refusals.gone(note)
        assert refusals.OUR_PROVIDER in refusals.plainly(note)
    else:
        assert not refusals.ours(note)
        assert refusals.OUR_PROVIDER not in refusals.plainly(note)


def test_a_mailbox_that_is_full_is_told_as_such_and_is_not_gone():
    for note in ("ann@x.test: 452 4.2.2 over quota", "came back: 552 mailbox is full"):
        assert refusals.plainly(note) == refusals.MAILBOX_IS_FULL
        assert not refusals.gone(note)


def test_one_answer_about_our_account_outweighs_those_about_recipients():
    assert refusals.fate({"recipient", "limit", "account"}, False) == "limited"
    assert refusals.fate({"recipient", "account"}, True) == "denied"
    assert refusals.fate({"recipient"}, True) == "later"
