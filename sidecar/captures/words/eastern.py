"""Polish, Russian, Ukrainian and Turkish."""

PL = {
    "$order": "używaj używajcie pisz piszcie commituj rób róbcie dodawaj usuwaj zmieniaj edytuj pushuj wrzucaj dotykaj "
    "ruszaj uruchamiaj odpalaj loguj zostawiaj kasuj mieszaj instaluj pytaj sprawdzaj odpowiadaj twórz testuj używać",
    "use": "używamy|korzystamy",
    "rule": """
        nigdy nie $order
        zawsze $order
        $order zawsze
        w tym|naszym projekcie|repo|repozytorium|kodzie nie|nigdy|zawsze
        przed|po każdym|każdego commitem|commicie|push|pushem|mergem
        od teraz|dziś|dzisiaj $order|zawsze|nigdy|nie
        pytaj|zapytaj .. zanim|przed|najpierw
    """,
    "taste": "wolę|preferuję\nbardziej lubię|podoba\nnie lubię|znoszę\nlubię krótkie|proste|gdy",
    "choice": "zdecydowaliśmy|wybraliśmy|przeszliśmy|przechodzimy|ustaliliśmy|postanowiliśmy|zrezygnowaliśmy"
    "|porzuciliśmy|migrujemy\nzostajemy przy\nużywamy .. nie|a",
    "verb": "działa|działają|jest|są|nasłuchuje|stoi|leży|używa|chodzi na|w|pod|teraz|już\njest|są\nnazywa"
    "|nazywają|znajduje się\nzmienił|zmieniła|przeniesiono|przeniesiony",
    "thing": "katalog|port|porcie|url|adres|host|endpoint|kolejka|baza|tabela|gałąź|branch|zmienna|klucz"
    "|polecenie|komenda|skrypt|wersja|limit|serwer|staging|stagingu|produkcja|produkcji|api|backend|frontend"
    "|redis|konfiguracja|testy|build|środowisko|java|node|python|lokalnie",
    "state": "błąd|błędy|pada|wolno|zepsuty|stary|starą|leży|pusty",
    "wish": "pamiętaj|pamiętajcie|zapamiętaj|zapamiętajcie że\nnie zapomnij|zapominaj że\nmiej na uwadze że",
    "lead": "dla informacji|jasności\npamiętaj|zapamiętaj|uwaga|przypominam\nmiej na uwadze\nweź pod uwagę",
    "deny": "^ nie|błąd|źle\n^ właściwie\njuż nie\nto nieprawda\nnie jest",
    "about": "jestem|pracuję|używam .. na|w|z|jedynym|jedyną|daltonistą|nie\nnasz|nasza|nasze|nasi .. jest|są"
    "|używa|ma|działa\nnie mamy|używamy\nwydajemy|wdrażamy co|w|każdy\nklient|bank|dostawca .. tylko|używa|chce",
    "once": "na razie\ntym razem\npóki co\ndo jutra|końca|czasu|odwołania|dziś\nna ten|tę raz\ntylko teraz|dla|w|ten"
    "|tym\ndzisiaj|dziś|jutro"
    "\njeszcze nie\nw tej chwili\nchwilowo",
    "maybe": "jeśli|jeżeli|gdyby|może|załóżmy|wyobraź|prawdopodobnie|chyba\nmyślę|sądzę|wydaje\nnie jestem "
    "pewien|pewna",
    "others": "lubię|podoba tego|to|ten|jak|mi się to\nmój|moja|moim|mojej kolega|szef|koleżanka|poprzedniej|stary"
    "|starej\npoprzedniej|starej|poprzednim"
    "\nkolega|szef|dokumentacja|on|ona mówi|twierdzi|mówią\nkiedyś\nw zeszłym miesiącu\nto|ten|coś .. nigdy"
    "|zawsze\nnigdy nie działa|rozumiałem|działało|wiem|zrozumiałem|widziałem|miałem\nzawsze działa|tak|się|to"
    "\njak zawsze\nnie musisz|trzeba",
    "ask": "^ dodaj|napisz|stwórz|wyjaśnij|pokaż|przetłumacz|zmień|usuń|użyj|popraw|znajdź|sprawdź|zrób|możesz"
    "|daj|przenieś",
    "everywhere": "we wszystkich\nwszędzie\nw każdym projekcie",
}
RU = {
    "$order": "используй* пиши* коммить* делай* добавляй* удаляй* меняй* трогай* пушь* запускай* логируй* оставляй* "
    "правь* "
    "ставь* спрашивай* проверяй* отвечай* создавай* изменяй* заливай* клади* редактируй*",
    "use": "мы используем|пользуемся",
    "rule": """
        никогда не $order
        всегда $order
        $order всегда
        перед|после каждым|каждого|каждом коммитом|коммита|пушем|пуша|мержем|релизом
        в этом|нашем проекте|репозитории|репо|коде не|никогда|всегда
        с этого момента $order|всегда|никогда|не
        отныне|впредь
        спрашивай|спроси .. прежде|перед|сначала
    """,
    "taste": "предпочитаю|ненавижу\nмне больше|удобнее нравится|нравятся|по\nмне нравится|нравятся|удобнее|проще"
    "\nя люблю|больше\nне люблю|нравится",
    "choice": "мы решили|выбрали|перешли|переходим|договорились|отказались|мигрировали|остановились|остаёмся"
    "|заменили\nрешили использовать|перейти|взять|остаться|отказаться\nперешли|переходим|переехали с|на\nвыбрали"
    "\nмы используем|пользуемся|берём .. не|а|вместо\nостановились на",
    "verb": "работает|работают|слушает|находится|лежит|лежат|живёт|живет|крутится|стоит|использует|доступен на|в"
    "|по|под|теперь|порт|порту\nназывается|называются|переехал|переехала|переехали|изменился|сменился\nтеперь"
    "|сейчас",
    "thing": "папка|порт|порту|порта|урл|url|адрес|хост|эндпоинт|очередь|база|таблица|ветка|переменная|ключ|команда"
    "|скрипт|версия|лимит|таймаут|сервер|стейджинг|стейдж|прод|продакшен|тест|апи|api|бэкенд|фронтенд|редис"
    "|конфиг|конфигурация|тесты|сборка|окружение|java|node|python|боевой|боевых|локально",
    "state": "упало|упал|упала|упали|ошибка|ошибки|падает|сломан*|медленно|старую|старый|пусто",
    "wish": "запомни|запомните|помни|помните|учти|учтите что\nне забудь|забывай|забудьте что\nимей|имейте в виду что",
    "lead": "учти|запомни|имей|помни|внимание|напоминаю|кстати|учтите|заметь\nдля справки|информации|сведения"
    "\nк сведению\nимей в виду",
    "deny": "^ нет|неверно|неправильно|неправда\nуже не|нет\nбольше не\nэто не так\nэто неверно",
    "about": "я работаю|использую|сижу|дальтоник|разработчик|пишу|один|единственный\nу нас .. нет|есть|только"
    "|всё|все|стоит|работает|свои|один|около\nнаш|наша|наше|наши .. на|в|только|использует|живёт|ещё|еще|сидит"
    "|стоит\nмы не используем|деплоим|поддерживаем|хостим\nмы релизим|деплоим|выпускаем|хостим .. каждый|по|раз"
    "|на|сами\nклиент|банк|поставщик|заказчик .. только|использует|хочет|принимает",
    "once": "пока\nна этот раз\nв этот раз\nтолько сейчас|сегодня|здесь|для|в|на|этот\nдля этого|этой\nсегодня"
    "|завтра\nещё|еще не\nдо\nвременно\nсейчас упал|лежит|не",
    "maybe": "если|может|возможно|допустим|предположим|представь|наверное|вероятно\nя думаю|полагаю|кажется"
    "\nкажется\nне уверен|уверена\nбы|ли",
    "others": "нравится это|этот|эта|как|твой\nмой|моя|моём|моем|прошлой|старой|прошлом|предыдущей|бывшей|старый "
    "коллега|начальник|работе|друг"
    "|команде|шеф|проекте\nколлега|документация|мануал|он|она|люди говорит|пишет|говорят|сказал\nраньше\nв "
    "прошлом году\nэто|оно|эта|этот|вечно .. никогда|всегда\nникогда оно|не работает|понимал|знал|собирается"
    "|видел|было\nвсегда работает|так|падает|было|хотел|мечтал\nкак всегда\nне обязательно|надо|нужно",
    "ask": "^ добавь|напиши|создай|объясни|покажи|переведи|переименуй|сделай|поменяй|удали|используй|исправь"
    "|найди|проверь|посмотри|дай|перенеси|убери|запусти|можешь|поправь",
    "everywhere": "во всех|каждом проектах|проекте|моих\nвезде|повсюду",
}
UK = {
    "$order": "використовуй* пиши* коміть* роби* додавай* видаляй* змінюй* чіпай* пуш* запускай* логуй* лишай* став* "
    "питай*",
    "use": "ми використовуємо",
    "rule": """
        ніколи не $order
        завжди $order
        $order завжди
        відтепер|надалі
        питай|спитай .. перш|перед
    """,
    "taste": "віддаю перевагу\nмені більше|зручніше\nмені подобається|подобаються\nне люблю\nволію",
    "choice": "ми вирішили|обрали|перейшли|переходимо|домовились|домовилися|відмовились|відмовилися\nвирішили"
    "|обрали|перейшли\nми використовуємо",
    "verb": "працює|працюють|слухає|знаходиться|лежить|стоїть|використовує на|в|у|за|тепер|порт\nназивається"
    "|називаються|переїхав|переїхала|змінився\nтепер",
    "thing": "порт|порту|url|адреса|хост|ендпоінт|черга|база|таблиця|гілка|змінна|ключ|команда|скрипт|версія"
    "|ліміт|сервер|стейджинг|прод|тест|api|бекенд|фронтенд|redis|конфіг|конфігурація|тести|збірка|середовище",
    "state": "впало|впав|помилка|падає|зламан*|повільно",
    "wish": "запам'ятай|запам'ятайте|пам'ятай|пам'ятайте|врахуй|врахуйте що\nне забудь|забувай що\nмай на увазі що",
    "lead": "врахуй|запам'ятай|пам'ятай|увага|нагадую|май\nдо відома\nмай на увазі",
    "deny": "^ ні|невірно|неправильно\nвже не\nбільше не\nце не так",
    "about": "я працюю|використовую|розробник|єдиний\nу|в нас .. немає|є|тільки|лише|стоїть\nнаш|наша|наше|наші "
    ".. на|в|у|тільки|лише|використовує",
    "once": "поки\nцього разу\nтільки|лише зараз|сьогодні|цього\nсьогодні|завтра\nще не\nтимчасово",
    "maybe": "якщо|може|можливо|припустимо|уяви|мабуть\nя думаю\nздається\nне впевнений|впевнена\nчи",
    "others": "мій|моя|моїй|минулій|старій колега|роботі|начальник\nколега|документація|він|вона каже|пише"
    "|кажуть\nраніше\nце|воно .. ніколи|завжди\nяк завжди\nне треба|потрібно|обов'язково",
    "ask": "^ додай|напиши|створи|поясни|покажи|переклади|зроби|зміни|видали|виправ|знайди|перевір|подивись|дай|можеш",
    "everywhere": "в|у усіх|всіх проєктах|моїх\nвсюди|скрізь",
}
TR = {
    "rule": """
        asla
        bundan sonra|böyle
        hiçbir zaman
        her .. olmalı|zorunda
        bana sormadan
    """,
    "taste": "tercih ederim|ediyorum\nseverim|sevmem|sevmiyorum|seviyorum\ndaha çok seviyorum",
    "choice": "karar verdik|kıldık|aldık\nseçtik|geçtik|geçiyoruz|bıraktık|kullanıyoruz|değiştirdik|vazgeçtik"
    "\nkullanmaya karar",
    "verb": "çalışıyor|dinliyor|duruyor|bulunuyor|kullanıyor|oldu|taşındı|değişti|adı|adresi|portu",
    "thing": "port|portu|portunda|porttan|url|adres|adresi|sunucu|sunucusu|veritabanı|tablo|kuyruk|dal|değişken"
    "|anahtar|komut|sürüm|sürümü|limit|staging|canlı|canlıda|test|api|backend|frontend|redis|yapılandırma|ortam"
    "|ortamı",
    "lead": "bilgin olsun\nunutma|hatırla|not|dikkat\naklında olsun|bulunsun\nbilgi için",
    "deny": "^ hayır|yanlış\nartık\nöyle değil",
    "about": "ben .. kullanıyorum|çalışıyorum|geliştiriciyim|renk\nbizim|ekibimiz|müşterimiz|müşteri .. "
    "kullanıyor|var|yok|sadece",
    "once": "şimdilik\nbu sefer|seferlik|defa|kez\nsadece bu|bugün\nbugün|yarın\nhenüz\nkadar\ngeçici",
    "maybe": "eğer|belki|diyelim|galiba|sanırım|muhtemelen|acaba\nemin değilim",
    "others": "eski iş|işimde|ekibim|şirkette\narkadaşım|patronum|iş\neskiden\ngeçen yıl|sene\nbu|şu .. asla|hiç"
    "|hep\nher zamanki\ngerek yok\nzorunda değilsin",
    "ask": "^ ekle|yaz|oluştur|açıkla|göster|çevir|değiştir|sil|yap|düzelt|bul|kullan",
    "everywhere": "bütün|tüm projelerde|projelerimde\nher yerde",
}
