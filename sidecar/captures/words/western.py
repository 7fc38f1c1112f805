"""German, French, Spanish, Portuguese, Italian and Dutch."""

DE = {
    "$order": "pushen pushe committen committe einchecken verwenden verwende benutzen benutze nutzen nutze schreiben "
    "schreibe schreib ändern ändere löschen lösche anfassen mergen loggen ausführen laufen lassen testen teste "
    "fragen frag "
    "frage deployen umschreiben setzen nehmen nimm machen mach hinzufügen verändern starten installieren antworten "
    "antworte editieren bearbeiten commiten",
    "rule": """
        nie|niemals|immer .. $order
        bitte nie|niemals|immer
        $order immer|nie|niemals|stets
        ^ $order .. immer|nie|niemals|stets
        ^ bitte $order .. immer|nie|niemals|stets
        wird|werden hier? nicht|nie|niemals gepusht|committet|gemergt|verwendet|benutzt|geloggt|eingecheckt|genutzt
        ab jetzt|sofort bitte|immer|nie|niemals|nur|keine|kein
        ab jetzt|sofort .. $order
        künftig|zukünftig|grundsätzlich|prinzipiell
        frag|frage mich vorher|bevor|erst
    """,
    "taste": """
        ich bevorzuge|mag|hasse
        ich hätte|habe|hab|schreibe|nehme .. lieber|gern|gerne
        mir ist|sind .. lieber
        mir gefällt|gefallen .. besser
        lieber .. als
        mir lieber
    """,
    "choice": """
        wir haben .. entschieden|beschlossen|gewählt|geeinigt|festgelegt
        haben uns .. für|auf|gegen
        uns für|gegen .. entschieden
        uns auf .. geeinigt|festgelegt
        wir nehmen|wechseln|verwenden|setzen|bleiben|migrieren|steigen jetzt|auf|zu|bei|um|künftig|statt
        sind .. umgestiegen|gewechselt
        umgestiegen auf|von
        wir benutzen|nutzen|verwenden|nehmen
    """,
    "verb": """
        läuft|laufen|lauscht|liegt|liegen|steht|hört|sitzt auf|unter|in|bei|jetzt
        heißt|heißen|lautet|ist|sind|beträgt|nutzt|verwendet|braucht
        wurde|ist .. umbenannt|verschoben|geändert|umgezogen
        zeigt|zieht|umgezogen|gewechselt
    """,
    "thing": """
        ordner|port|url|host|adresse|endpunkt|endpoint|queue|datenbank|db|schema|tabelle|branch|bucket|region|variable|\
flag|schlüssel|benutzer|befehl|skript|version|timeout|limit|standard|registry|server|cluster
        staging|produktion|prod|test|testsystem|testumgebung|backend|frontend|api|gateway|redis|postgres|doku|\
konfiguration|config|build|tests|hauptbranch|umgebung|dienst|proxy|image|python|node|java
    """,
    "state": "rot|kaputt|langsam|fehler|hängt|leer|falsch|down|grün|weg|immer noch",
    "wish": "vergiss|vergesst nicht dass\ndenk|denkt daran|dran dass\nmerk|merke|merkt dir|euch dass",
    "lead": "zur info\nzur information\nnur zur\nfyi\nmerk|merke|merkt dir\ndenk daran|dran\nhinweis\n^ übrigens"
    "\nnebenbei\nwichtig\nbeachte\nbedenke\nzu deiner",
    "deny": "^ nein|nee|nö|falsch|eigentlich|tatsächlich\nnicht mehr\nstimmt nicht\ndas stimmt\ndas ist "
    "falsch\nsondern",
    "once": "diesmal\ndieses|dieser|diesen|dieses mal|lauf|fall|datei\nfür diesen|dieses|diese|jetzt|heute"
    "\nerst mal|einmal\nvorerst\nvorläufig\nim moment|augenblick\nbis\nheute|morgen\nnoch nicht\nnur hier"
    "|diesmal|heute\ngerade",
    "maybe": "wenn|falls|angenommen|vielleicht|vermutlich|wahrscheinlich|eventuell\nich glaube|denke|vermute"
    "|schätze|meine\nnicht sicher\nwürde|könnte|sollte|wäre\nsoll ich\nob",
    "others": """
        ich mag|hasse das|die|dies|diese|diesen|es|den|wie
        wir nehmen|verwenden|nutzen das|die|den|es
        mein|meine|meiner|meinem|meinen alten|alte|alter|früheren|kollege|chef|freund|kollegin|letzten
        kollege|kollegin|chef|doku|handbuch|er|sie|man sagt|meint|schreibt|sagen
        früher
        letztes|letzten jahr|monat|projekt
        das|es|ich|du|nie|immer .. nie|immer funktioniert|geht|klappt|verstanden|schon|wieder|kaputt|beim
        das|es|hier|ding .. nie|immer
        wie immer
        immer noch|wieder|mehr|dasselbe
        du musst|brauchst nicht
        muss|müssen nicht
        mussten|musste
        nie beim|mehr|wieder|verstanden|gehört|gesehen
    """,
    "ask": "^ mach|schreib|füge|bau|zeig|erklär|benenne|ändere|lösche|übersetze|ergänze|gib|such|schau|prüfe"
    "|nimm|lass|verschieb|kannst|könntest|bitte\nbitte .. noch|mal|einen|ein|eine|den|das",
    "everywhere": "in allen|jedem projekten|projekt|repos|meinen\nüberall\ngenerell ich",
}
FR = {
    "$order": "utilise utilisez utiliser mets mettez mettre fais faites faire écris écrivez écrire lance lancez lancer "
    "commite commitez commiter pousse poussez pousser touche touchez toucher modifie modifiez modifier supprime "
    "supprimez "
    "committer merger "
    "supprimer ajoute ajoutez ajouter laisse laissez laisser demande demandez demander réponds répondre passe passer "
    "crée "
    "créer installe installer teste tester change changer pusher push exécute exécuter",
    "rule": """
        ne $order jamais
        n' $order jamais
        ^ ne jamais $order
        ^ jamais de|d'|sans
        toujours|systématiquement|jamais $order
        $order toujours|systématiquement
        pas de|d' .. dans ce|notre|cette projet|dépôt|repo|code|base
        avant|après chaque commit|push|merge|pr|release|déploiement
        à partir de maintenant on|$order|toujours|jamais|plus
        dorénavant|désormais on|$order|toujours|jamais|plus
        demande moi avant
    """,
    "taste": "je préfère|déteste|privilégie\nj' aime mieux|bien|pas\nj' aimerais mieux|plutôt\nje n' aime pas"
    "\nplutôt que\nje veux des|du",
    "choice": """
        on a|avait|est .. décidé|choisi|opté|retenu|migré|passé|basculé|abandonné|remplacé|arrêté
        nous avons|sommes .. décidé|choisi|opté|retenu|migré|passés|abandonné|remplacé
        on garde|abandonne|passe|part|bascule|remplace|migre|reste|arrête|utilise|prend
        nous gardons|abandonnons|passons|utilisons|migrons
        décidé|choisi de|d'
    """,
    "verb": "est|sont|tourne|écoute|écoutent|utilise|reste|passe maintenant|désormais|sur|dans|en|à|le|la"
    "|toujours\nest|sont\ns' appelle|appellent\nse trouve|trouvent|nomme\na changé|été|déménagé\ntourne"
    "|tournent sur|en",
    "thing": "dossier|port|url|l'url|adresse|hôte|endpoint|file|base|table|branche|bucket|région|variable|clé|commande"
    "|script|version|délai|limite|registre|serveur|préproduction|préprod|prod|production|recette|staging|api"
    "|backend|frontend|redis|config|configuration|tests|build|données|environnement|node|python|java",
    "state": "cassé|cassée|lent|lente|erreur|plante|vide|rouge|encore",
    "wish": """
        retiens|retenez que|qu'
        rappelle|rappelez|souviens|souvenez - toi|vous que|qu'
        n' oublie|oubliez pas que|qu'
    """,
    "lead": "pour info|information|mémoire|rappel\nnote|sache|retiens que\nà noter\nattention\nrappelle toi"
    "\nsouviens toi\nn' oublie pas\nje te rappelle\ntiens compte",
    "deny": "^ non|faux\n^ en fait|réalité\nce n' est pas|plus\nc' est faux\nplus maintenant\nn' est plus",
    "about": "je suis|travaille|utilise|bosse .. sur|en|avec|un|une|le|la|développeur|seul|daltonien\nnotre|nos "
    ".. est|sont|utilise|tourne|a\nnous n'|avons|hébergeons|livrons\non n' a|utilise|héberge pas\non livre"
    "|déploie|héberge|publie|déploie .. tous|chaque|le|chez|sur\nle client|fournisseur|banque .. ne|n'|veut"
    "|utilise|accepte",
    "once": "ne jamais $order cette|ce|cet|ces|ici"
    "\npour l' instant\npour le moment\ncette fois\njuste|seulement pour|cette|ce|ici\npour ce|cet|cette"
    "|aujourd\naujourd' hui\nen ce moment\njusqu'|jusque\ndemain\npas encore\nd' abord\nprovisoirement"
    "|temporairement",
    "maybe": "si|s'|peut-être|supposons|imagine|imaginons|admettons|probablement\npeut être\nje crois|pense"
    "|suppose\npas sûr|sûre\nserait|pourrait|devrait\nest-ce|est ce",
    "others": "j' aime bien|pas|mieux ça|ce|cette|ton|comment\nje n' ai .. jamais\nmon|ma|mes ancien|ancienne"
    "|collègue|chef|ami|boîte|prof\ncollègue|doc"
    "|documentation|il|elle|manuel dit|dis|écrit|disent\navant on\nl' an dernier\nça ne|n'|marche .. jamais"
    "\ncomme toujours\ntoujours pas|la|le|pareil|aussi|en\nje n' ai jamais\nn' ai jamais\npas besoin|obligé"
    "\npas toujours\njamais compris|vu|réussi",
    "ask": "^ ajoute|écris|crée|explique|montre|traduis|renomme|supprime|change|fais|corrige|regarde|donne|mets"
    "|utilise|peux|pourrais|cherche|vérifie|réponds",
    "everywhere": "dans|sur tous mes|nos|les projets\npartout",
}
ES = {
    "$order": "uses usa usar hagas haz hacer subas sube subir pongas pon poner commitees escribas escribe escribir "
    "ejecutes ejecuta ejecutar borres borra borrar toques toca tocar cambies cambia cambiar modifiques modifica "
    "modificar "
    "edites edita editar mezcles agregues agrega añadas añade dejes deja despliegues instales instala pushees pregunta "
    "avisa revisa incluye incluyas guardes guarda metas mete corre corras lances lanza respondas responde crees prueba",
    "use": "usamos|utilizamos",
    "rule": """
        nunca|jamás|siempre $order
        $order siempre
        aquí|acá no se
        en este|nuestro proyecto|repo|repositorio|código no|nunca|siempre|se
        antes|después de cada commit|push|pr|merge|release|despliegue
        a partir de ahora siempre|nunca|no|$order
        de ahora en adelante
        no .. nunca
        pregúntame|consulta|avísame antes
    """,
    "taste": "prefiero|odio|detesto\nme gusta|gustan .. más|mejor\nno me gusta|gustan\nme gustan los|las"
    "\nquiero respuestas|código|tests",
    "choice": "decidimos|elegimos|escogimos|optamos|acordamos|migramos|cambiamos|pasamos|reemplazamos"
    "|descartamos|adoptamos\nhemos|habíamos decidido|elegido|optado|acordado|migrado|pasado|cambiado\nvamos con"
    "\nnos quedamos|vamos|pasamos con|a|por\nal final usamos|elegimos|vamos\nya no usamos\nusamos|utilizamos .. "
    "no|en",
    "verb": "es|son|está|están|corre|escucha|vive|usa|apunta|sigue ahora|en|a|la|el\nes|son|corre|escucha|usa"
    "\nse llama|llaman|encuentra|guarda|ejecuta|movió|cambió|despliega\ncambió|pasó a\nahora es|usa|está",
    "thing": "carpeta|puerto|url|host|dirección|endpoint|cola|base|tabla|esquema|rama|bucket|región|variable|clave"
    "|comando|script|versión|límite|registro|servidor|staging|producción|preproducción|pre|api|backend|frontend"
    "|redis|config|configuración|tests|pruebas|build|entorno|datos|node|python|java|usuario|timeout",
    "state": "error|falla|lento|lenta|roto|rota|vieja|viejo|caído|caída|vacío|mal|igual",
    "wish": """
        recuerda|recuerde|recuerden|recordad que
        no olvides|olvide|olviden que
        ten|tenga|tengan en cuenta|mente que
    """,
    "lead": "para que sepas|conste\nnota|recuerda|ojo|recordatorio|recuerden\nten|tengan en cuenta\nte recuerdo"
    "\nque sepas\na tener en",
    "deny": "^ no|incorrecto|falso\n^ en realidad\nno es así|cierto\nya no\neso no es\nno es",
    "about": "soy|trabajo|uso .. de|en|con|el|la|un|una|daltónico|desarrollador|no\nestoy en|usando\nnuestro"
    "|nuestra|nuestros|nuestras .. es|son|está|usa|tiene|sigue\nno tenemos|usamos|desplegamos\ndesplegamos"
    "|publicamos|lanzamos|entregamos .. cada|los|en\nel cliente|banco|proveedor .. solo|usa|quiere|acepta",
    "once": "por ahora|hoy\nde momento\npor el momento\nesta vez\nsolo|sólo por|esta|este|en|hoy\nen este "
    "archivo|caso\npara esta|este\nhasta\nhoy|mañana\ntodavía no\naún no\nprimero",
    "maybe": "si|quizá|quizás|tal|supongamos|imagina|probablemente|acaso\ncreo|pienso|supongo|diría que\nno "
    "estoy seguro|segura\nsería|podría|debería\nusáramos",
    "others": "me gusta|gustan esto|eso|este|esta|tu|cómo|como\nmi|mis colega|compañero|jefe|antiguo|anterior"
    "|amigo\nmi anterior|antiguo|viejo trabajo|equipo"
    "\ncolega|compañero|manual|documentación|él|ella|gente dice|dicen\nel año pasado\nesto|eso|esta .. nunca"
    "|siempre\nnunca entendí|he|había|funciona|compila|vi|supe|me|más\nsiempre funciona|falla|igual|lo|hay|me"
    "|pasa|quise\ncomo siempre\nno hace|tienes|tienes falta|que|por\nno siempre",
    "ask": "^ añade|agrega|escribe|crea|explica|muestra|traduce|renombra|haz|cambia|borra|pon|mueve|dame|usa"
    "|revisa|arregla|busca|prueba|puedes|podrías|mira",
    "everywhere": "en todos|todas mis|nuestros|los proyectos|repos\nen todas partes\nsiempre y en",
}
PT = {
    "$order": "usa use usar faça faz fazer apague apaga apagar mexa mexe mexer escreva escreve escrever rode roda "
    "rodar "
    "execute executa executar commite comite suba sobe subir coloque coloca colocar adicione edite edita altere altera "
    "mude muda deixe deixa pergunte pergunta avise revise inclua guarde instale responda responde crie cria teste "
    "passe "
    "logue faças uses ponha põe delete remova",
    "use": "usamos|utilizamos",
    "rule": """
        nunca|jamais|sempre $order
        $order sempre
        aqui não se|usamos
        neste|nesse|nosso projeto|repositório|repo|código não|nunca|sempre|se
        antes|depois de cada commit|push|pr|merge|release|deploy
        a partir de agora sempre|nunca|não|$order
        de agora em
        daqui|daqui pra|para frente
        não .. nunca
        me pergunte|pergunta|avise|consulte antes
    """,
    "taste": "prefiro|odeio|detesto\ngosto mais|de|quando\nnão gosto\neu quero respostas|código\nacho melhor"
    "|mais .. fácil|legível",
    "choice": "decidimos|escolhemos|optamos|acordamos|migramos|trocamos|mudamos|adotamos|abandonamos|fechamos"
    "|combinamos|substituímos\na gente decidiu|escolheu|vai|migrou|trocou|usa\nvamos usar|ficar|de|manter|com"
    "|com\nficamos|vamos com\nnão usamos mais\nagora|já usamos|usa\nusamos|utilizamos .. não|em",
    "verb": "é|são|está|estão|fica|roda|rodam|escuta|usa|aponta|continua|fica agora|em|na|no|a|o\nroda|rodam"
    "|escuta|fica|usa|é|são\nse chama|chamam|encontra\nmudou|passou|migrou|foi para|pra|a|em",
    "thing": "pasta|porta|url|host|endereço|endpoint|fila|banco|tabela|esquema|branch|bucket|região|variável|chave"
    "|comando|script|versão|limite|registro|servidor|staging|homologação|produção|prod|api|backend|frontend"
    "|redis|config|configuração|testes|build|ambiente|dados|java|node|python|usuário|timeout|serviço",
    "state": "erro|falha|lento|lenta|quebrado|quebrada|velha|velho|caiu|vazio|igual",
    "wish": """
        lembra|lembre|lembrem que
        lembra|lembre - se|te de? que
        não esqueça|esquece|esqueçam de? que
        leve|leva|tenha em conta|mente que
    """,
    "lead": "para|pra sua informação\nsó pra|para saber|lembrar\nnota|lembra|lembre|lembrete|atenção|observação"
    "\nleve|leva em conta\nfica sabendo\nte lembro\nvale lembrar",
    "deny": "^ não|errado|falso\nnão é mais|isso|assim\njá mudou|não\nisso não é\nna verdade",
    "about": "sou|trabalho|uso .. de|no|em|com|o|a|um|uma|daltônico|não|só\nestou no|na|usando\nnosso|nossa"
    "|nossos|nossas .. é|são|está|usa|tem|roda\nnão temos|usamos\na gente não|só .. tem|usa\nfazemos|publicamos"
    "|lançamos .. toda|todo|cada\no cliente|banco|fornecedor .. só|usa|quer|aceita",
    "once": "por enquanto|hoje|agora\nno momento\ndesta|dessa vez\nsó desta|dessa|por|hoje|neste|nesse\npara "
    "este|esta|esse|essa\naté\nhoje|amanhã\nainda não\nprimeiro",
    "maybe": "se|talvez|suponha|imagine|imagina|provavelmente\nacho que\nnão tenho certeza\nseria|poderia"
    "|deveria\nacredito",
    "others": "gosto|gostei disso|desse|dessa|deste|como\nmeu|minha colega|chefe|antigo|antiga|amigo|emprego|ex"
    "|anterior\nno meu emprego|antigo\nemprego "
    "antigo\ncolega|manual|documentação|ele|ela|pessoal diz|disse|dizem|fala\nano passado\nesse|essa|isso|este "
    ".. nunca|sempre\nnunca entendi|vi|funciona|consegui|soube|compila|mais\nsempre quebra|falha|funciona|quis"
    "|dá|tem|igual\ncomo sempre\nnão precisa",
    "ask": "^ adiciona|escreve|escreva|crie|cria|explica|explique|mostra|mostre|traduz|renomeia|faz|faça|muda"
    "|apaga|coloca|move|roda|usa|revisa|corrige|procura|testa|ajusta|pode|poderia",
    "everywhere": "em todos|todas os|as|meus projetos|repos\nem todo lugar\nem qualquer projeto",
}
IT = {
    "$order": "usare usa usate fare fai scrivere scrivi lancia lanciare esegui eseguire toccare tocca modificare "
    "modifica "
    "committare commit pushare push mettere metti aggiungere aggiungi cancellare cancella chiedi chiedere rispondi "
    "lascia "
    "lasciare cambiare cambia includi installare installa testa testare creare crea caricare",
    "use": "usiamo|utilizziamo",
    "rule": """
        ^ mai .. senza
        non $order mai
        sempre|mai $order
        $order sempre
        in questo|nostro progetto|repo|codice non|mai|sempre|si
        prima|dopo di? ogni commit|push|pr|merge|release|deploy|rilascio
        d' ora in
        da ora|adesso in poi?
        chiedimi|chiedi|avvisami prima
    """,
    "taste": "preferisco|odio|detesto\nmi piace|piacciono .. più|meglio|di\nnon mi piace|piacciono\nvorrei che"
    "|le|i|risposte\nmi trovo meglio",
    "choice": "abbiamo|avevamo .. deciso|scelto|optato|adottato|abbandonato|sostituito|concordato\nsiamo passati"
    "|migrati\npassiamo|migriamo|restiamo|andiamo|teniamo a|su|con|da\nnon usiamo più\nusiamo .. non|in|e",
    "verb": "è|sono|sta|stanno|gira|ascolta|risponde|usa|punta|resta|scade ora|in|su|sulla|alla|il|la|adesso\nè"
    "|sono|sta|gira|ascolta|usa\nsi chiama|chiamano|trova|trovano\nè stato|stata cambiato|spostato|spostata"
    "|cambiata\nè passato|cambiato",
    "thing": "cartella|porta|url|host|indirizzo|endpoint|coda|database|tabella|schema|ramo|branch|bucket|regione"
    "|variabile|chiave|comando|script|versione|limite|registro|server|staging|produzione|collaudo|api|backend"
    "|frontend|redis|config|configurazione|test|build|ambiente|java|node|python|utente|timeout|servizio|base",
    "state": "errore|fallisce|lento|lenta|rotto|rotta|vecchia|vecchio|vuoto|bloccato|uguale",
    "wish": """
        ricorda|ricordati|ricordatevi|ricordate che
        non dimenticare|dimenticarti|dimenticate che
        tieni|tenete presente|conto che
    """,
    "lead": "per tua? informazione|info\nnota|ricorda|ricordati|attenzione|promemoria\ntieni|tenete presente"
    "|conto\nsappi che\nti ricordo\ntanto per",
    "deny": "^ no|sbagliato|falso\n^ in realtà\nnon è più|così|vero\nnon più\nnon si chiama",
    "about": "sono|lavoro|uso .. un|una|su|con|l'|il|la|daltonico|sviluppatore|non|in\nil nostro|la nostra"
    "|nostri|nostre .. è|sono|usa|ha\nnostro|nostra|nostri|nostre .. è|sono|usa|ha\nnon abbiamo|usiamo"
    "\nrilasciamo|pubblichiamo|facciamo .. ogni|il|al\nil cliente|banca|fornitore .. solo|usa|vuole|accetta",
    "once": "per ora|adesso|oggi\nal|per il? momento\nquesta volta\nstavolta\nsolo per|questa|questo|oggi|qui"
    "\nper questa|questo\nfino\noggi|domani\nnon ancora\nprima di tutto",
    "maybe": "se|forse|magari|supponiamo|immagina|probabilmente\ncredo|penso|immagino|suppongo\nnon sono sicuro"
    "|sicura\nsarebbe|potrebbe|dovrebbe|dovremmo",
    "others": "mi piace questo|questa|quello|come|così\nnon ho .. mai\nil|la mio|mia|mie|vecchio|vecchia collega"
    "|capo|vecchio|amico|vecchia|lavoro"
    "|azienda|precedente\nmio|mia collega|capo|vecchio|vecchia|amico|ex\ncollega|manuale|documentazione|lui|lei "
    "dice|dicono\nuna volta\nl' anno scorso\nquesto|questa|coso|niente .. mai|sempre\nnon ho mai\nnon funziona"
    "|va|compila|parte mai\ncome sempre\nsempre lo|la|uguale|rotto|il\nnon serve|devi|occorre",
    "ask": "^ aggiungi|scrivi|crea|spiega|mostra|traduci|rinomina|fai|cambia|sposta|togli|metti|usa|dammi|cerca"
    "|controlla|correggi|prova|puoi|potresti|guarda|rispondi",
    "everywhere": "in|per tutti i|miei|nostri progetti|miei\nin tutti i miei\novunque",
}
NL = {
    "$order": "gebruiken gebruik pushen push committen commit schrijven schrijf zetten zet maken maak wijzigen wijzig "
    "verwijderen verwijder draaien draai testen test vragen vraag mergen merge loggen log deployen aanpassen pas "
    "doen doe",
    "use": "we|wij gebruiken",
    "rule": """
        nooit|altijd .. $order
        $order altijd|nooit
        vanaf nu|vandaag .. $order|altijd|nooit|geen
        voortaan
        vraag .. eerst|voordat
    """,
    "taste": "ik heb|wil|zie|lees|hou|houd .. liever|graag|van\nliever .. dan\nik haat|verkies\nmijn voorkeur"
    "\ngeef mij? .. voorkeur",
    "choice": "we|wij hebben .. besloten|gekozen|afgesproken|gemigreerd\nwe|wij gaan|stappen|kiezen|blijven"
    "|zijn .. voor|over|met|bij|overgestapt\nbesloten om\ngekozen voor\novergestapt|overgegaan op|naar|van\nwe"
    "|wij gebruiken",
    "verb": "draait|luistert|staat|zit|is|heet|heten|zijn|gebruikt|loopt op|in|nu|onder|naar|via|bij|achter|nog"
    "\nheet|heten|is|zijn|draait|luistert\nis .. verhuisd|hernoemd|veranderd",
    "thing": "poort|url|host|adres|endpoint|wachtrij|queue|database|tabel|schema|branch|bucket|regio|variabele"
    "|sleutel|commando|script|versie|limiet|registry|server|staging|productie|acceptatie|test|api|backend"
    "|frontend|redis|config|configuratie|tests|build|omgeving|java|node|python|gebruiker|timeout|service",
    "state": "kapot|fout|traag|leeg|rood|nog",
    "wish": "onthoud|onthou dat\nvergeet niet dat\nhou|houd er? rekening mee dat",
    "lead": "ter info|informatie\nlet op\nonthoud|onthou|herinnering|nb\nhou|houd er? rekening\nvoor de "
    "duidelijkheid\nter herinnering",
    "deny": "^ nee|fout|onjuist|eigenlijk\nniet meer\nklopt niet\ndat klopt\ndat is niet\nhet is niet",
    "about": "ik ben|werk|gebruik .. een|op|met|de|kleurenblind|geen|alleen\nonze|ons .. is|zijn|gebruikt|draait"
    "|heeft\nwe|wij hebben|hosten|releasen|deployen .. geen|klanten|elke|zelf|op|alleen\nde klant|bank"
    "|leverancier .. alleen|gebruikt|wil|accepteert",
    "once": "voor nu|vandaag|deze|dit|even\nvoorlopig\ndeze|dit keer\nalleen deze|dit|vandaag|hier|voor\nop dit "
    "moment\ntot\nvandaag|morgen\nnog niet\neerst",
    "maybe": "als|indien|misschien|stel|waarschijnlijk|vermoedelijk\nik denk|geloof|vermoed\nniet zeker\nzou|zouden",
    "others": "ik vind|haat dit|dat|het|deze\nmijn|m'n collega|baas|oude|vorige|vriend\nin mijn|m'n vorige"
    "|oude\nmijn vorige|oude\ncollega"
    "|handleiding|documentatie|hij|zij|ze zegt|zeggen\nvroeger\nvorig|vorige jaar|maand\ndit|dat|het .. nooit"
    "|altijd\nik heb .. nooit|altijd\nwerkt nooit|altijd\nzoals altijd\nnooit begrepen|meer|geweten|van\nhoeft"
    "|hoef niet",
    "ask": "^ voeg|schrijf|maak|leg|toon|vertaal|hernoem|zet|verwijder|geef|zoek|kijk|controleer|gebruik|draai"
    "|kun|kan|verplaats|pas",
    "everywhere": "in al mijn|onze\noveral\nin alle projecten",
}
