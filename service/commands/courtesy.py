"""Words of courtesy in several languages, and words that only look like commands.

The module knows no commands. All phrases are casefolded and are compared word by word.
"""

from collections.abc import Sequence

PhraseTable = dict[str, tuple[tuple[str, ...], ...]]


def phrases(text: str) -> PhraseTable:
    """Split phrases at the bars and group them by their first word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in text.casefold().split("|"):
        one = tuple(phrase.split())
        found.setdefault(one[0], []).append(one)
    return {first: tuple(sorted(some, key=len, reverse=True)) for first, some in found.items()}


def words(text: str) -> frozenset[str]:
    """The words of a text, casefolded."""
    return frozenset(text.casefold().split())


def begins(text: Sequence[str], some: PhraseTable, at: int = 0) -> int:
    """Count the words from ``at`` on that make the longest of the phrases; 0 for none."""
    if at >= len(text):
        return 0
    fitting = (p for p in some.get(text[at], ()) if tuple(text[at : at + len(p)]) == p)
    return len(next(fitting, ()))


def ends(text: Sequence[str], some: frozenset[tuple[str, ...]], at: int) -> int:
    """Count the words before ``at`` that make the longest of the phrases; 0 for none."""
    sizes = range(min(max(map(len, some), default=0), at), 0, -1)
    return next((size for size in sizes if tuple(text[at - size : at]) in some), 0)


GREETINGS = phrases(
    "hi|hello|hey|hiya|howdy|dear|greetings|good morning|good afternoon|good evening|good day|"
    "hi there|hello there|hey there|"
    "hallo|moin|servus|liebe|lieber|liebes|guten tag|guten morgen|guten abend|grüß gott|"
    "bonjour|bonsoir|salut|cher|chère|chers|coucou|"
    "hola|buenos días|buenas tardes|buenas noches|buenas|querido|querida|queridos|"
    "olá|oi|bom dia|boa tarde|boa noite|caro|cara|caros|prezados|"
    "ciao|buongiorno|buonasera|salve|cari|"
    "hoi|dag|beste|goedemorgen|goedemiddag|goedenavond|"
    "cześć|dzień dobry|hej|dobry wieczór|witam|witajcie|siema|drodzy|"
    "ahoj|dobrý den|dobré ráno|dobrý večer|čau|zdravím|nazdar|"
    "hejsan|tjena|god morgon|god kväll|goddag|hei|terve|moi|szia|sziasztok|"
    "こんにちは|こんばんは|おはよう|おはようございます|привет|здравствуйте"
)
#: people whom a greeting without a comma may address
ADDRESSED = words(
    "waybill moderator all everyone everybody folks guys team friends players there both gents "
    "zusammen alle allerseits leute runde ihr euch tous toutes monsieur messieurs à le les "
    "todos todas a amigos chicos pessoal gente tutti tutte ragazzi allemaal iedereen allen "
    "wszystkim wszyscy panowie kochani všichni všem vespolek přátelé alla vänner みなさん 皆さん"
)
#: words of a request; they may be before or after a command
PLEASE = phrases(
    "please|pls|plz|kindly|bitte|s'il vous plaît|s'il te plaît|svp|stp|por favor|per favore|"
    "per piacere|alsjeblieft|aub|graag|proszę|poproszę|prosím|snälla|vänligen|お願いします"
)
#: how people say what they want to do
INTENT = phrases(
    "i would like to|i would like|i'd like to|i'd like|i want to|i want|i wish to|i wish|"
    "i like to|we want to|we will|"
    "we'll|i will|i'll|i'm going to|i am going to|i'd love to|"
    "we would like to|let me|let's|let us|i'd rather|i'd prefer to|i'd better|i'll just|i'll now|"
    "i think i'll|i think i will|i think i'd like to|think i'll|i guess i'll|i've decided to|"
    "i have decided to|i decide to|i choose to|i've chosen to|i opt to|i plan to|i'm gonna|"
    "now i'll|so i'll|then i'll|then i will|"
    "i mean|i mean to|i meant|i meant to|i meant to say|i meant to write|"
    "i would rather|i would|i'd|ich möchte|ich will|ich würde gerne|"
    "je voudrais|je veux|quiero|quisiera|eu quero|quero|gostaria de|vorrei|voglio|ik wil|"
    "ik wil graag|chcę|chciałbym|chciałabym|chci|chtěl bych|jag vill|jag skulle vilja"
)
#: words before a wish or a command; they are courtesy if a mark follows them, or a wish
FILLERS = phrases(
    "ok|okay|then|ok then|okay then|ok so|alright|all right|right then|well|well then|so|hm|hmm|oh|"
    "anyway|anyhow|in that case|after that|after this|afterwards|and then|and after that|"
    "my move|my moves|my turn|my action|move|moves|turn|action|first|now|and now|"
    "with the money|with that money|with this money|correction"
)
#: the beginnings of questions that are requests if "please" or "for me" is in them
REQUESTS = phrases(
    "could you|can you|would you|will you|could i|can i|may i|could we|can we|may we"
)
FOR_THE_WRITER = phrases("for me|for us")
THANKS = phrases(
    "thanks|thank you|thx|ty|tnx|many thanks|thanks again|thanks a lot|thank you very much|"
    "thanks very much|thanks so much|thanks all|thanks everyone|no thanks|no thank you|"
    "danke|vielen dank|danke schön|"
    "danke dir|dankeschön|besten dank|merci|merci beaucoup|merci d'avance|gracias|muchas gracias|"
    "obrigado|obrigada|muito obrigado|grazie|grazie mille|dank je|dank u|bedankt|dankjewel|"
    "dzięki|dziękuję|z góry dziękuję|děkuji|díky|děkuju|tack|tack så mycket|kiitos|köszönöm|"
    "thanks in advance|ありがとう|ありがとうございます|спасибо"
)
APOLOGIES = phrases(
    "sorry|so sorry|sorry all|sorry everyone|sorry everybody|sorry about that|sorry for that|"
    "sorry for the trouble|oops|ups|my mistake|my bad|my fault|apologies|my apologies|"
    "entschuldigung|tut mir leid|mein fehler|pardon|désolé|désolée|lo siento|perdón|desculpe|"
    "desculpem|scusa|scusate|mi dispiace|przepraszam|promiňte|omlouvám se|förlåt|ursäkta|anteeksi|"
    "すみません|ごめんなさい|извините"
)
CLOSINGS = phrases(
    "best|bests|best wishes|best regards|kind regards|warm regards|many regards|regards|rgds|"
    "all the best|sincerely|yours|yours truly|yours sincerely|take care|cheers|bye|bye bye|"
    "bye for now|see you|see you soon|see ya|cya|talk soon|talk to you soon|later|love|xo|"
    "good luck|good luck all|good luck everyone|good luck everybody|good luck to all|"
    "have fun|have fun all|have fun everyone|have a nice day|have a good one|have a good game|"
    "gl|glhf|gg|good game|enjoy|enjoy the game|happy 18xxing|"
    "viele grüße|liebe grüße|beste grüße|mit freundlichen grüßen|schöne grüße|herzliche grüße|"
    "grüße|gruß|lieben gruß|schönen gruß|mfg|vg|lg|bg|tschüss|bis bald|bis dann|bis später|"
    "viel spaß|viel glück|viel erfolg|gutes spiel|schönes spiel|schönen abend|schönes wochenende|"
    "cordialement|bien cordialement|amicalement|bien amicalement|bien à vous|bien à toi|à bientôt|"
    "à plus|bonne chance|bonne partie|bonne journée|bonne soirée|bises|"
    "saludos|un saludo|saludos cordiales|un abrazo|abrazos|atentamente|hasta luego|hasta pronto|"
    "buena suerte|suerte|buena partida|abraços|abraço|um abraço|atenciosamente|cumprimentos|"
    "com os melhores cumprimentos|boa sorte|bom jogo|até logo|até breve|"
    "saluti|cordiali saluti|distinti saluti|un saluto|buona fortuna|buona partita|in bocca al lupo|"
    "a presto|groet|groeten|groetjes|met vriendelijke groet|met vriendelijke groeten|mvg|succes|"
    "veel plezier|veel succes|tot ziens|tot later|tot snel|"
    "pozdrawiam|pozdrawiam serdecznie|pozdrowienia|z poważaniem|powodzenia|miłej gry|na razie|"
    "do zobaczenia|s pozdravem|zdravím|pozdrav|hodně štěstí|hezký den|měj se|mějte se|"
    "hälsningar|vänliga hälsningar|med vänliga hälsningar|mvh|lycka till|hej då|vi ses|"
    "よろしくお願いします|よろしくお願いいたします|よろしく|がんばって|頑張って|"
    "с уважением|удачи|terveisin|üdv|üdvözlettel"
)
#: the beginnings of lines that email programs add; anything may follow
FOOTERS = phrases(
    "sent from|sent with|sent via|sent using|get outlook|get bluemail|gesendet von|gesendet mit|"
    "gesendet aus|von meinem|von meiner|diese nachricht wurde|outlook für|envoyé de|envoyé depuis|"
    "envoyé à partir|télécharger outlook|enviado desde|enviado do|enviado de|enviado con|"
    "inviato da|inviato dal|verstuurd vanaf|verzonden vanaf|verzonden met|wysłane z|wysłano z|"
    "odesláno z|odesláno ze|skickat från|skickades från|iphoneから送信|lähetetty"
)
#: the beginnings of lines in which writers say who they are; anything may follow
INTRODUCTIONS = phrases("my name is|my name's|call me|you can call me")
#: the beginnings of lines that tell a thought and no move; anything may follow
THOUGHTS = phrases(
    "i hope|we hope|i think|i thought|i wish|i wonder|i fear|i see|i guess|i know|next time|maybe|"
    "perhaps|nice|good|well done|too bad|what a|how|why|that was|it was|this was|it is|it's|"
    "that is|that's|congrats|congratulations|kudos|bravo|wow|haha|hehe|lol|thanks for|"
    "thank you for|thx for|"
    "sorry for|sorry about|sorry that|hello from|hi from|greetings from|regards from|on holiday|"
    "on vacation|lovely|great|your|last time|last round|last turn|this game|the weather|glad|"
    "shame|a shame|pity|a pity|poor|looks like|seems|it seems|"
    "i'm glad|i am glad|i'm on|i am on|i was|i'm back|i am back|i love|i like|i enjoy|"
    "ich hoffe|ich denke|j'espère|je pense|espero|spero"
)
#: words that judge, or that tell of the past: a sentence that tells a move has none
TALK = words(
    "yesterday today tonight tomorrow always never ever still already "
    "good great nice lovely fantastic awesome terrible awful well badly better worse wow haha hehe "
    "lol congrats congratulations kudos bravo luck lucky funny fun interesting clever smart brave "
    "nasty amazing impressive brilliant beautiful crazy strange holiday vacation weather weekend "
    "than everybody's how why hope wonder might soon probably dead too very really indeed nothing"
)
#: words of the past: what follows them is over, and is not a move
PAST = words("was were had did been went")
#: the beginnings of sentences that go on with a move: "then a nice new 2 train"
GOING_ON = words("a an another one then and now also next finally our plus")
#: the beginnings of questions without a question mark
ASKING = phrases(
    "can i|can we|can you|could i|could we|could you|may i|may we|am i|is it|is there|is that|"
    "are there|are we|are you|does it|does anyone|does somebody|do i|do we|do you|did i|did we|"
    "did you|should i|should we|shall i|shall we|how do|how can|how does|how much|how many|"
    "how long|why is|why did|why does|why can't|why was|when is|when does|when do|where is|"
    "where can|who is|who has|which one|which of|would it|would you|has anyone|"
    "kann ich|können wir|kannst du|könntest du|darf ich|dürfen wir|wie kann|wie viel|wie viele|"
    "warum ist|warum hat|wann ist|wer ist|was passiert|gibt es|soll ich|muss ich|"
    "puis-je|est-ce que|est-ce qu'on|peut-on|pourquoi est|comment puis-je|combien de|"
    "puedo|podemos|puedes|¿|cómo puedo|por qué|cuándo es|cuánto cuesta|"
    "posso|podemos|como posso|por que|quanto custa|possiamo|come posso|perché non|quanto costa|"
    "kan ik|kunnen we|mag ik|hoe kan|waarom is|hoeveel kost|"
    "czy|jak mogę|dlaczego nie|ile kosztuje|můžu|mohu|můžeme|jak můžu|proč ne|kolik stojí|"
    "kan jag|får jag|kan vi|hur kan|varför är|hur mycket"
)
#: words that may come before the verb of a wish or an order
LEADS = words(
    "all i we i'd i'll i'm we'll us me you would like love want wanna will to can could let's lets "
    "let should must shall may might going gonna need have try now then and so just here also "
    "well first next again my move is turn action order do does rather be please pls with "
    "using private "
    "ich wir will möchte würde gern gerne jetzt dann bitte zuerst und mein zug "
    "je nous veux voudrais vais on maintenant et ensuite yo quiero quisiera voy ahora y luego "
    "eu quero vou agora e io vorrei voglio adesso poi ik wij wil graag nu dan en "
    "ja chcę teraz i potem já chci teď pak jag vi vill nu och sedan"
)
#: words beside the names and numbers of a move without its verb
LITTLE = words(
    "a an the of on at in for from to and with by another one two three more share shares exits "
    "tile train trains at price par n ne se s sw nw e w also both extra its free no number second "
    "president director president's director's yellow green brown gray grey orientation rotation "
    "north south west east northeast northwest southeast southwest normal"
)
#: what players order, buy, lay or pay
THINGS = words(
    "share shares stock certificate certificates tile tiles track token tokens station stations "
    "train trains route routes borrow borrowing loan loans bond bonds dividend dividends private "
    "privates"
)
#: verbs of other languages and other forms of verbs, each with the game's verb that it may mean
LIKE = {
    form: verb
    for verb, forms in {
        "buy": (
            "buying buys take taking kaufe kaufen kauf achète acheter j'achète compro comprar "
            "compra comprare koop kopen kupuję kupić kupuji koupit koupím köper köpa köp "
            "nehme nehmen prends prendre prendo tomo neem biorę beru purchase purchases purchasing "
            "get getting acquire borrow borrowing give"
        ),
        "par": "open opening found founding starts starting launches launching",
        "lay": (
            "put putting place placing connect connecting lays laying builds building upgrades "
            "upgrading"
        ),
        "sell": (
            "selling sells verkaufe verkaufen vends vendre vendo vender vendere verkoop "
            "verkopen sprzedaję sprzedać sprzedam prodat prodávám prodám säljer sälja sälj"
        ),
        "pass": (
            "passing passes passe passen passer paso pasar passo passar passare pas pasuję pasuji"
        ),
        "bid": (
            "bidding bids raising biete bieten enchéris mise pujo pujar lance offro bied bieden "
            "licytuję přihazuji"
        ),
        "run": "running runs fahre fahren rijden rijd corro jedu kör köra",
        "pay": (
            "paying pays zahle zahlen ausschütten verse verser pago pagar betaal płacę "
            "zaplatit betala"
        ),
    }.items()
    for form in forms.split()
}
#: common words at the beginning of sentences; they are never taken for a mistyped command
COMMON = words(
    "all bad best big bit but came come dass day did each efter erst est far fell fest full fun "
    "game gone halt held hoe hope ist jest la las lass last le les lo lost may mist może none not "
    "notre old one our passt past per plays ran rate same self soll solo some tage test that till "
    "time told toll un und votre víte wat way well wore "
)
