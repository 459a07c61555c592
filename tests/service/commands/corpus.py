"""What people write in emails around their moves, by language, with what each line is.

`EVERYWHERE` means the same in every title, `ALABAMA` names things of 18AL. A line of `EVERYWHERE`
has no word that is a verb in some titles only.
"""

from service.commands.lines import Sort

#: the first letter of a sort, before each phrase
SORTS = {"!": Sort.COMMAND, "~": Sort.CLOSE, "?": Sort.QUESTION, ".": Sort.WORDS}

EVERYWHERE = {
    "English": """
        . Hi all, looking forward to this!
        . Good luck all,
        . Hello everyone
        . Hi Bob
        . Dear all,
        . Good morning gents!
        . Hey there, sorry for the delay, I was on holiday
        . Sorry for the delay, I was on holiday
        . Best, Ann
        . Best
        . Best wishes, Ann Smith
        . Cheers
        . Cheers, Bob
        . Regards
        . Kind regards,
        . Thanks
        . Thanks again!
        . No thanks!
        . Thanks a lot, Waybill
        . Thank you very much.
        . Take care, Ann
        . All the best, Ann
        . Have fun everyone!
        . GL HF
        . See you soon
        . Sent from my iPhone
        . Sent from my Galaxy, please excuse typos and pass it on
        . Get Outlook for iOS
        . Ann
        . — Ann
        . J. R. Smith
        . Nice move, Bob!
        . Well played.
        . Ouch, that hurts.
        . That was close :)
        . :-)
        . Not sure about this one.
        . One more thing: great map!
        . I was going to wait, but why not.
        . Old habits die hard
        . This game is getting tight.
        . My bank is empty, as always
        . I think the blue company will run well next turn
        . I hope nobody is going to buy that train before me
        . We had a power cut here all day, so I could not send anything before
        . It has been a pleasure to play with you all and I hope that we can run another one soon
        . Looking forward to your moves
        . Gone fishing until Sunday
        . Full steam ahead!
        ~ Pass on my greetings to Eve
        ~ Start when you like
        ~ Back on Monday
        ~ Hold on, I'll think
        ~ Run along!
        ~ Sell you later :)
        ~ Pay attention, Bob
        ! Passing
        ! I'm passing
        ! I think I'll pass this time
        ! OK, I'll pass then
        ! I do nothing
        ! nothing for me this turn
        ! My move: pass
        ! Let's pass
        . Next turn I will do better
        ~ pss
        ~ pas
        ~ apss
        ~ passs
        ~ stauts
        ~ statsu
        ~ hlep
        ~ undoo
        ~ witdraw
        ~ withold
        ~ decline everything Bob says
        ~ please start when ready
        ! I'll pass on that one
        ~ I will note that down
        ~ I want to undo
        ~ lets all pass
        ~ so now I run
        ! ok, I pass on this one then
        ~ hi pass, thanks
        ! Hello Waybill I pass now
        ! I pass here
        ! Pass again
        ! I'm done
        . Take your time everybody
        . Play on!
        ? Question for Bob: will you wait for me?
        ~ I pass, good luck
        ~ Great, done.
        . Sorry, no time before the weekend
        . Finally, a station!
        . I pass the time with a book
        ~ run everything please, Waybill
        ~ Buy
        ! pass
        ! Pass.
        ! PASS!
        ! I pass
        ! please pass
        ! pass, thanks
        ! no thanks, pass
        ! no bid
        ! pass please :)
        ! I'd like to pass
        ! I'll pass
        ! Hi, pass
        ! hi pass
        ! Hello Waybill, please pass
        ! Hello all, I would like to pass, please
        ! Good luck all, pass
        ! "pass"
        ! status
        ! status, please
        ! say Good luck all
        ! away until Monday
        ! ?
        ? Can I start a company instead?
        ? Whose turn is it?
        ? Is it my turn
        ? how do I take that back
        ? Hi all, is anybody there?
        ? Could you wait for me until tomorrow
        ? Thanks. When does the round end?
        ? Which one of these is better?
        ? Can I buy a train from Bob?
    """,
    "German": """
        . Grüße, Jörg
        . Viele Grüße
        . Viele Grüße, Jörg
        . Mit freundlichen Grüßen
        . Liebe Grüße aus Köln
        . LG
        . VG, Jörg
        . Hallo zusammen,
        . Moin!
        . Guten Morgen allerseits, schönes Wetter heute
        . Gesendet von meinem iPad
        . Von meinem iPhone gesendet
        . Jörg
        . Danke!
        . Vielen Dank, Waybill
        . Guter Zug, Bob!
        . Tut mir leid, ich war im Urlaub
        . Ich bin gespannt, wie das weitergeht
        . Halt, das war ein Irrtum
        . Erst mal abwarten
        . Viel Erfolg euch allen
        ~ Ich passe
        ~ ich möchte passen
        ~ Passe
        ~ Tja, dann passe ich
        . Passt schon
        ! bitte pass
        ! Hallo Waybill, bitte pass
        ! pass, danke
        ? Kann ich stattdessen eine Gesellschaft gründen?
        ? Wer ist dran?
        ? Darf ich das zurücknehmen
    """,
    "French": """
        . Bonjour à tous,
        . Salut les amis
        . Cordialement
        . Bien cordialement, Hélène
        . Amicalement, Jean-Luc
        . Merci beaucoup !
        . Envoyé de mon iPhone
        . Bonne chance à tous
        . À bientôt
        . Désolé pour le retard, j'étais en vacances
        . Bien joué, Bob !
        . Est-il possible, ça
        ~ je passe
        ~ Passer
        ! pass, merci
        ! s'il vous plaît pass
        ! Bonjour, pass svp
        ? Puis-je créer une compagnie à la place ?
        ? C'est à qui de jouer ?
        ? est-ce que je peux annuler
    """,
    "Spanish": """
        . Hola a todos,
        . Buenos días
        . Saludos
        . Saludos, Íñigo
        . Un abrazo, José
        . Muchas gracias
        . Enviado desde mi iPhone
        . Buena suerte a todos
        . ¡Buena jugada, Bob!
        . Perdón por el retraso, estaba de vacaciones
        ~ paso
        ~ yo paso
        ! pass por favor
        ! Hola, pass, gracias
        ? ¿Puedo fundar una compañía?
        ? ¿A quién le toca
        ? puedo cambiar mi jugada
    """,
    "Portuguese": """
        . Olá a todos,
        . Bom dia, pessoal!
        . Abraços
        . Abraços, João
        . Um abraço, João
        . Obrigado!
        . Atenciosamente
        . Boa sorte a todos
        . Desculpem a demora, estava de férias
        . Boa jogada, Bob!
        ~ eu passo
        ! pass, obrigado
        ? Posso abrir uma companhia?
        ? como posso desfazer isso
    """,
    "Italian": """
        . Ciao a tutti,
        . Buongiorno
        . Cordiali saluti
        . Saluti, Niccolò
        . Grazie mille!
        . Inviato da iPhone
        . In bocca al lupo
        . Bella mossa, Bob!
        . Scusate il ritardo, ero in vacanza
        ~ io passo
        ~ vorrei passare
        ! pass, grazie
        ! Ciao, pass per favore
        ? Posso fondare una compagnia?
        ? come posso annullare
    """,
    "Dutch": """
        . Hallo allemaal,
        . Hoi Bob
        . Met vriendelijke groet
        . Groetjes, Anneke
        . Dank je
        . Verstuurd vanaf mijn iPhone
        . Veel plezier allemaal
        . Mooie zet, Bob!
        . Sorry voor de vertraging, ik was op vakantie
        . Hoe dan ook, wat een spel
        ~ ik pas
        ~ ik wil passen
        ! pass alsjeblieft
        ! Hoi, pass, bedankt
        ? Kan ik in plaats daarvan een maatschappij starten?
        ? mag ik dit terugnemen
    """,
    "Polish": """
        . Cześć wszystkim,
        . Dzień dobry
        . Pozdrawiam
        . Pozdrawiam, Michał
        . Z poważaniem
        . Dzięki!
        . Dziękuję
        . Wysłane z iPhone'a
        . Powodzenia wszystkim
        . Dobry ruch, Bob!
        . Przepraszam za opóźnienie, byłem na urlopie
        . Jest dobrze
        ~ pasuję
        ! pass, dzięki
        ! proszę pass
        ? Czy mogę założyć spółkę?
        ? czy to moja kolej
    """,
    "Czech": """
        . Ahoj všichni,
        . Dobrý den
        . S pozdravem
        . S pozdravem, Jiří
        . Díky!
        . Odesláno z iPhonu
        . Hodně štěstí
        . Pěkný tah, Bobe!
        . Omlouvám se za zpoždění, byl jsem na dovolené
        ~ pasuji
        ! prosím pass
        ! Ahoj, pass, děkuji
        ? Můžu místo toho založit společnost?
        ? mohu to vzít zpět
    """,
    "Swedish": """
        . Hej alla,
        . God morgon
        . Med vänliga hälsningar
        . Mvh, Åsa
        . Tack!
        . Skickat från min iPhone
        . Lycka till alla
        . Snyggt drag, Bob!
        . Förlåt att det dröjde, jag var på semester
        . Efter semestern blir det bättre
        ! pass, tack
        ! Hej, pass tack
        ? Kan jag starta ett bolag i stället?
        ? får jag ta tillbaka det
    """,
    "Japanese": """
        . こんにちは
        . みなさん、こんにちは
        . よろしくお願いします
        . よろしくお願いいたします。
        . ありがとうございます!
        . iPhoneから送信
        . 遅れてすみません、休暇中でした
        . いい手ですね
        ! pass お願いします
        ? 会社を始めてもいいですか
        ? 私の番ですか?
    """,
    "Russian": """
        . Привет
        . С уважением
        . Удачи
        . Спасибо!
        . Извините за задержку
        ? Чей сейчас ход?
    """,
    "Finnish and Hungarian": """
        . Moi Bob
        . Kiitos!
        . Terveisin, Väinö
        . Sziasztok,
        . Köszönöm
        . Üdv, Gábor
        ? Ki következik?
    """,
}

ALABAMA = {
    "English": """
        ! Hello Waybill, please buy TR
        ! buy TR
        ! buy TR, thanks
        ! I would like to buy TR
        ! I'd like to buy TR please
        ! Hi all, buy TR
        ! "buy TR"
        ! sell two L&N please
        ! sell 2 L&N; pass
        ~ by TR
        ~ byu TR
        ~ buuy TR
        ~ bid on Tennessee for me
        ~ lets buy TR
        ~ let's all buy L&N
        ! Hello Waybill buy me TR
        ! buy TR for me
        ! Purchase TR
        ! I'm buying the TR
        ! I'll get the TR for 20 bucks
        ! OK, then buy TR
        ~ L&N 75
        ~ 1 L&N
        ! S&NA for 40
        ! Another L&N
        ~ I want another share of L&N
        ! One more L&N please
        ~ 5 on C4, exits NW and N
        ~ connect Nashville to Decatur
        ~ Put something nice on C4
        . Mobile
        . Birmingham, AL
        . Nashville 35203
        ~ Hi Bob buy TR
        ~ could you buy TR for me
        ~ now I sell my L&N
        ~ TR buy
        ~ Thanks Bob, buy TR
        ~ buy TR. Good luck!
        ~ L&N: runs
        ~ L&N run please, and then pay
        ~ I will buy either TR or M&C
        ~ We should lay C4
        ~ my move is buy TR
        ? Should I buy TR?
        ? Is L&N going to run?
        . I think L&N will run well next turn
        . L&N will run well next turn
        . Everybody wants to run to Mobile these days
        . Montgomery is where it all ends
        . Bob and his L&N always pay, whatever the others try to do about it, so I wait
        . Nice run of the L&N, Bob!
    """,
    "German": """
        ~ Ich kaufe TR
        ~ ich möchte TR kaufen
        ~ verkaufe 2 L&N
        . Die L&N gefällt mir sehr gut
        ? Soll ich TR kaufen?
    """,
    "French": """
        ~ j'achète TR
        ~ je voudrais acheter TR
        . La L&N est à moi, merci Bob
    """,
    "Spanish": """
        ~ compro TR
        ~ quiero comprar TR
        . La L&N va muy bien
    """,
    "Italian": """
        ~ compro TR
        ~ vorrei vendere 2 L&N
    """,
    "Polish": """
        ~ kupuję TR
    """,
    "Czech": """
        ~ kupuji TR
    """,
    "Swedish": """
        ~ jag köper TR
    """,
}


def phrases(some):
    """Each phrase of such a collection with its language and its sort."""
    for language, text in some.items():
        for line in text.strip().split("\n"):
            sign, _, phrase = line.strip().partition(" ")
            yield language, phrase, SORTS[sign]
