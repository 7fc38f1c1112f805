"""French."""

PHRASES = {
    "$bad": "erreur erreurs problème problèmes souci soucis bug bugs plantage plantages alerte alertes "
    "avertissement avertissements "
    "exception échec échecs conflit fuite doublon doublons",
    "$runs": "marche marchent fonctionne fonctionnent tourne tournent passe passent compile démarre charge "
    "affiche build roule",
    "$goes": "marche marchent fonctionne fonctionnent fonctionné marché résolu résolue corrigé réglé réparé",
    "work": """
        $goes
        tourne|passe|passent|compile|démarre|charge|roule|build|démarrent|ok maintenant|enfin|bien|nickel|\
parfaitement|sans|désormais|correctement|impec|merci|au
        ça|c'|tout|maintenant|désormais|enfin|il|elle|cette $runs
        c' est bon|ok|nickel|réglé|parfait|résolu|ça|corrigé|exactement|vert|réparé|exact
        c' était ça|bien|le|la|exactement|effectivement
        tout est|passe|marche|fonctionne|roule vert|bon|ok|rentré|bien|en|maintenant
        au vert
        en vert
        plus aucune|aucun|d' erreur|erreurs|problème|souci|bug|plantage|alerte|avertissement|échec|fuite|doublon
        plus|aucun|aucune|pas|sans|zéro|0 de|d'|un|une|la|le $bad
        aucun|aucune|zéro|sans $bad
        plus de $bad|plantages|plantage
        ne plante|bloque|échoue|rame|casse|apparaît plus
        erreur|bug|problème|souci|message .. disparu|disparue|parti|partie|résolu|corrigé
        a disparu
        disparu|disparue
        n' .. plus d'|de|aucun|le $bad
        est|sont|va rapide|bon|bonne|bien|ok|correct|correcte|juste|propre maintenant
        de nouveau|rentré ordre|normal
        comme prévu|attendu|voulu|souhaité|demandé|il|tu
        exactement ce que|qu'|dont
        tu avais|as|avez raison
        vous aviez|avez raison
        bien vu|joué
        impeccable|impec|nickel
        problème|souci|mystère|affaire|bug résolu|réglé|corrigé|rentré
        je confirme
        beaucoup|bien|nettement plus rapide
        de .. à .. ms|secondes
        tests|test|build|pipeline|ci .. passent|passe|vert|verts|verte
    """,
    "perfect": "parfait|parfaite\nimpeccable\nnickel\nexactement\npile ce",
    "praise": "merci|super|génial|bravo|top|chouette|cool|excellent|magnifique|formidable|félicitations\nbien joué",
    "still": """
        toujours|encore sans|trop|le|la|pareil|pas|rien|même|en|une|un|des|les|aussi|cassé|rouge|bloqué|vide|gris|lent|\
plantée|planté|là|ce|cette|aussi
        encore
        même|mêmes erreur|erreurs|problème|résultat|chose|message|souci|comportement|bug|symptôme
        la|le même erreur|problème|résultat|chose|message|souci|bug
        pareil
        pas mieux|différent|changé
        comme avant
        identique
        ça continue
        continue|persiste|continuent|persistent
        reste|restent
        j' avais|ai dit|demandé|pourtant|bien|précisé
        je voulais|veux uniquement|seulement|juste|pas|que
        je t' ai|avais
        je te|vous demande|demandais
        troisième|deuxième|énième fois
        combien de fois
    """,
    "fail": """
        ne|n'|ca|ça marche|fonctionne|passe|change|compile|démarre|résout|règle|suffit|aide|sert|trouve|affiche|\
charge|tourne|répond|build|voit|prend|résolu|veut|corrige .. pas|rien|plus|toujours|jamais|point
        ne|n'|ca|ça est|sont|a|ont .. pas|rien|toujours|jamais|point
        marche|fonctionne|passe|change|compile|démarre|résout|suffit|aide|affiche|charge|tourne|répond|trouve pas|\
plus|toujours|rien|jamais
        n' a|ai|est .. pas|rien .. changé|marché|fonctionné|aidé|servi|résolu|suffi|réglé|corrigé
        pas|rien changé|marché|fonctionné|aidé
        rien n'|ne|à change|a|marche|faire|fonctionne|y
        rien à faire
        ça ne|n'|plante|bloque|rame
        aucun|aucune effet|changement|différence|amélioration|résultat
        sans effet|succès
        ^ non
        plante|plantent|planté|échoue|échouent|échoué
        cassé|cassée|casse|cassés
        pire|empiré
        plus lent
        faux|fausse|incorrect|mauvais|mauvaise
        ce n' est|était pas .. ce|ça|correct|bon|cela
        c' est|était pas ça|cela
        ce|c' n'? est|était pas le|la|mon|notre problème|souci|bug|erreur|cause
        c' est pas .. ce|ça|correct|bon|cela
        pas ce que|qu'|ça|bon|correct|du
        n' existe pas|plus
        tu as|t'as oublié|supprimé|cassé|effacé|inventé|ignoré|modifié
        tu n' as pas
        au lieu de|d'|du
        plus rien
        maintenant .. plus aucun|rien|aucune|plante|plus
        plus aucun|aucune
        laisse tomber
        j' ai .. trouvé|réglé|fait|corrigé moi
        moi même
        trop lent|grand|petit|tard
    """,
    "weak": "erreur|erreurs|exception|problème|souci|manque|vide|disparu|ignoré|refusé|bloqué|rouge\npas\nplus|met",
    "part": """
        presque
        à moitié
        en partie
        partiellement
        mieux
        sauf
        hormis
        à part
        pas tout à
        pas encore tout|complètement
        un|une|deux|trois sur deux|trois|quatre|cinq
    """,
    "only": """
        seulement|uniquement .. premier|première|le|la|sur
    """,
    "revert": """
        annule|annuler|annulez
        reviens|revenir|revenez|remets|remettre|remettez .. arrière|comme|avant|en|le|la|l'
        retour arrière
        revert
        rollback
    """,
    "later": """
        je vais|regarderai|regarde|testerai|teste|essaierai|essaie|vérifie|verrai|vais essayer|tester|regarder|voir|\
vérifier|lire|demain|plus|ça
        je teste|regarde|essaie|verrai|essaierai|testerai|vérifierai
        on verra
        plus tard
        demain|ce soir
        noté|noter
        bon à savoir
    """,
    "past": "au début\nd' abord\navant\nhier",
    "mine": "ma faute\nmon erreur\nde ma\nj' avais .. oublié|mal\nc' était moi",
    "wish": "ce serait|serait bien|super si\nj' aimerais dire|que\nsi seulement",
    "if": "si\ns' il|ils",
    "aside": "autre chose|question|sujet|problème\nsinon\nau fait\nrien à voir",
    "hush": """
        pas de souci|problème|soucis
        pas mal|grave|encore
        pourquoi pas
        comment ça|on marche|fonctionne|fait
        comment .. marche|fonctionne
        message|messages d' erreur
        toujours utile|bon|bien
        ça marche pour
        encore merci|une|un
        merci encore
        pas besoin|sûr|forcément
    """,
}
