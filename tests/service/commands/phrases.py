"""Lines as people write them around their moves, by what they are in a game of any title."""

#: greetings, closings, thanks, chat: they refuse nothing
WORDS = """
Hi all, looking forward to this!
Hi everybody!
Hello Ann,
Good luck all,
Good luck everybody and have fun!
Have fun everyone
Nice move, Bob!
That was a nasty surprise.
Sorry for the delay, I was on holiday.
Sorry, I was ill last week
I will be away from Friday on, so please be patient
It was a long day at work.
What a game!
Well, that was close.
Well played.
Great fun so far.
Here is my turn:
This is my first 18xx game by email.
My moves are below
As discussed on the phone
Thanks
Thanks!
Thanks again, and good night
Thank you for running this.
Cheers
Cheers, Ann
Best
Best, Ann
Best regards
Kind regards,
Regards, Bob
Yours, Cat
See you next week
Take care
Ann
Bob Miller
- Ann
Sent from my iPhone
Sent from my Galaxy
Hallo zusammen,
Hallo zusammen, ich freue mich auf das Spiel!
Guten Abend allerseits
Liebe Grüße, Jörg
Grüße, Jörg
Viele Grüße
Mit freundlichen Grüßen
Schöne Grüße aus Wien
Danke und bis bald
Viel Glück!
Viel Spaß euch allen
LG Jörg
Gesendet von meinem iPad
Ich war leider im Urlaub.
Bonjour à tous,
Bonjour à tous, j'ai hâte de commencer !
Bonne chance à tous
Merci
Merci beaucoup !
Cordialement
Bien à vous, Hélène
À bientôt
Envoyé de mon iPhone
Désolé pour le retard
Hola a todos,
Hola
Buenos días
Suerte a todos
Gracias
Muchas felicidades
Saludos
Saludos desde Madrid
Un abrazo
Enviado desde mi iPhone
Perdón por la demora
Olá a todos
Bom dia!
Boa sorte
Obrigado
Obrigada, João
Abraços
Desculpem a demora
Ciao a tutti
Buongiorno
Grazie mille
Cordiali saluti
Saluti
Buona fortuna a tutti
Scusate il ritardo
Hoi allemaal
Goedemorgen
Met vriendelijke groet
Groetjes
Groeten uit Utrecht
Succes allemaal
Bedankt
Dank je wel
Cześć wszystkim
Dzień dobry
Pozdrawiam
Pozdrawiam serdecznie, Łukasz
Powodzenia
Dziękuję
Ahoj
Dobrý den
S pozdravem
Díky
Hodně štěstí
Hej allihopa
Tack
Tack så mycket
Lycka till
Hälsningar
Mvh Åsa
Hilsen Kari
Terveisin Mikko
Kiitos
Üdv
Köszönöm
Merhaba
こんにちは
よろしくお願いします
ありがとうございます
""".strip().splitlines()

#: questions in free words: they get an answer
QUESTIONS = """
Can I start a company instead?
Is it my turn already?
What happens if everybody passes?
How many shares may I have?
Who has the priority deal now?
Why did the price fall?
Do I have to buy a train?
Could somebody explain the loans?
Kann ich auch eine Gesellschaft gründen?
Wer ist dran?
Est-ce que je peux passer ?
C'est à qui ?
¿Puedo vender ahora?
¿A quién le toca?
Posso vender agora?
Tocca a me?
Mag ik nu verkopen?
Czy mogę sprzedać?
Můžu prodat?
Är det min tur?
私の番ですか？
""".strip().splitlines()

#: close to a command, in each title: refused with a question, or with what the game says
CLOSE = """
buuy TR
byu TR
rnu
pss
psas
passs
pass on my greetings to Eve
sell you later
staus
sttaus
mapp
markte
hisotry
histroy of the round
widthhold
withold
helpp
optoins
""".strip().splitlines()

#: with a greeting or courtesy around a command, and the command
WITHIN = {
    "Hello Waybill, please buy TR": "buy TR",
    "Hi, pass": "pass",
    "Hi all! pass": "pass",
    "Hi Bob, pass": "pass",
    "please pass": "pass",
    "pass please": "pass",
    "pass, please!": "pass",
    "pass, thanks": "pass",
    "Pass, thank you.": "Pass",
    "I'd like to buy TR": "buy TR",
    "I would like to buy TR please": "buy TR",
    "I want to sell 2 L&N": "sell 2 L&N",
    "I'll pass": "pass",
    "I will pass": "pass",
    "let's pass": "pass",
    "Bitte buy TR": "buy TR",
    "Hallo, bitte buy TR": "buy TR",
    "Bonjour, s'il vous plaît pass": "pass",
    "Hola! por favor pass": "pass",
    "pass, danke": "pass",
    "pass, merci": "pass",
    "'pass'": "pass",
    '"buy TR"': "buy TR",
}
