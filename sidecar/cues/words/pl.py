"""Polish."""

PHRASES = {
    "$bad": "błąd błędu błędy błędów problem problemu problemy problemów wyjątek wyjątków ostrzeżenie ostrzeżeń "
    "awaria awarii",
    "work": """
        działa|działają|zadziałało|zadziałał|zadziałała|działało|pomogło|naprawione|naprawiony|rozwiązane|\
rozwiązany|rozwiązało|śmiga|hula|poszło|przeszło|przeszły|przechodzą|kompiluje|zielono|zielone
        buduje|uruchamia|odpala|ładuje|kompiluje się już?
        teraz|już|wszystko|no|tak działa|gra|ok|dobrze|chodzi|zielone|śmiga|przechodzi|jest|poszło|startuje|buduje
        o to chodziło|właśnie
        to było to|właśnie
        właśnie|dokładnie to|o|tak|tego to|chodziło|potrzebowałem|chciałem
        miałeś|masz|miałaś rację
        bez|żadnych|żadnego|zero|0 żadnych? $bad
        nie ma już? $bad
        już nie ma|wywala|wyskakuje|pada|występuje|wiesza|pojawia|psuje
        nie .. już|więcej $bad|wywala|pada|wyskakuje
        ani jednego|jeden $bad
        $bad .. zniknął|zniknęły|zniknęło|rozwiązany|naprawiony
        zniknął|zniknęły|zniknęło
        zgodnie z oczekiwaniami
        dużo|znacznie szybciej
        spadło|zeszło z|do
        potwierdzam
        jak trzeba|należy|chciałem
    """,
    "perfect": "idealnie|idealne\nperfekcyjnie\nbezbłędnie\ndoskonale\ndokładnie",
    "praise": "dzięki|dziękuję|super|świetnie|świetna|świetne|ekstra|brawo|fajnie|spoko|pięknie|rewelacja|gratulacje",
    "still": """
        nadal|wciąż|ciągle
        dalej|jeszcze wszystko|wszędzie|to|nie|ten|błąd|wywala|ta|jest|pada|wisi|sam|bez|puste|pusty|czerwony
        to samo
        ten|ta|taki|dokładnie sam|sama błąd|problem|wynik
        tak samo
        jak przedtem|wcześniej|było
        bez zmian
        znowu|znów
        mówiłem|mówiłam|prosiłem|prosiłam|pytałem|pytałam|chciałem|chciałam|napisałem tylko|o|że|przecież|nie|żeby|\
wyraźnie|wyłącznie|jak|na
        trzeci|drugi|kolejny raz
        ile razy
        wymyśliłeś|zmyśliłeś
    """,
    "fail": """
        nie działa|działają|zadziałało|pomogło|pomaga|zmieniło|zmienia|kompiluje|buduje|uruchamia|startuje|ładuje|\
przechodzi|przechodzą|widzi|znajduje|istnieje|dało|daje|jest|o|to|rozwiązało|odpala|zapisuje|pokazuje|chodzi|łączy|\
wstaje
        nie .. działa|o to|tak|pomogło
        nic nie|to|się|z|nowego|z zmieniło|dało|działa|pomogło|robi|tego
        nie|nic
        brak zmian|efektu|różnicy|poprawy
        żadnej|żadnego|żadnych różnicy|efektu|zmiany|zmian|poprawy
        wywala|wywaliło|wysypuje|pada|padł|padło|zepsute|zepsuł|zepsuło|zepsułeś|zepsuta|popsuło
        źle|błędnie|błędne|zły|zła|niepoprawne|nieprawda
        gorzej|gorsze|wolniej
        zapomniałeś|zapomniałaś|usunąłeś|skasowałeś|pominąłeś|zignorowałeś
        teraz nic|nie|wszystko|w .. działa|startuje|nie|pada
        zostaw to
        sam zrobiłem|znalazłem|naprawiłem
        zrobiłem|naprawiłem|znalazłem sam
        za wolno|duży|późno
    """,
    "weak": "błąd|błędy|wyjątek|problem|brakuje|pusty|pusta|puste|ignoruje|znika|czerwony|zniknęły\nnie",
    "part": """
        prawie
        częściowo
        połowicznie
        lepiej
        oprócz
        poza tym
        nie do końca
        jeden|jedna|dwa|trzy z dwóch|trzech|czterech|pięciu
        połowa
    """,
    "only": """
        tylko pierwszy|pierwsza|jeden|jedna|na|w|dla
    """,
    "revert": "cofnij|cofnąć|wycofaj|wycofać|przywróć|odkręć\nrollback\nrevert\nwróć do",
    "later": """
        sprawdzę|zobaczę|przetestuję|spróbuję|pokażę|popatrzę|przeczytam
        zaraz|jutro|później|potem|wieczorem
        dobrze wiedzieć
        zapisane
    """,
    "past": "najpierw\nna początku\nwcześniej\nwczoraj",
    "mine": "mój błąd\nmoja wina\npomyliłem\nmoja pomyłka",
    "wish": "szkoda że|że\nbyłoby miło|fajnie|dobrze gdyby\nchciałbym żeby|móc",
    "if": "jeśli\njeżeli\ngdyby\ngdy",
    "aside": "inna|inne sprawa|pytanie|temat\nprzy okazji\nz innej",
    "hush": """
        nie ma sprawy|za|problemu
        nic nie szkodzi|szkodzi
        nic się
        dlaczego|czemu nie
        jak działa|działają|to
        jak .. działa
        komunikat|komunikatu|kod błędu|błędzie
        nie wiedziałem|wiedziałam|wiem|znałem|trzeba|rozumiem|tylko
        nie mam pytań
        bez problemu
    """,
}
