"""Spanish."""

PHRASES = {
    "$bad": "error errores problema problemas fallo fallos excepción excepciones aviso avisos advertencia "
    "advertencias bug bugs caída "
    "caídas lío conflicto conflictos duplicados warnings queja",
    "$goes": "funciona funcionan funcionó funcionaba funcionando anda andan sirvió solucionado solucionada "
    "resuelto resuelta arreglado "
    "arreglada corregido solucionó resolvió arregló jala",
    "work": """
        $goes
        ya|ahora|todo|por|así|con|esto|eso sí? compila|arranca|carga|pasa|pasan|corre|va|sale|aparece|quedó|está|\
conecta|levanta|inicia|abre bien?
        pasan|pasa|pasaron|compila|arranca|carga|corre|va|salió|quedó|sale bien|todo|todos|perfecto|ya|\
perfectamente|sin|ahora|genial|rápido|todas
        ya está|quedó|va|era
        todo|todos|todas en|ok|bien|verde|pasa|pasan|correcto|perfecto verde|orden?
        en verde
        era eso|justo|exactamente|por
        eso era|es
        justo|exactamente lo|eso que|era
        dio resultado
        tenías|tienes|tenía razón
        ni un|una|un|solo|sola .. $bad
        sin|cero|ningún|ninguna|0 más? $bad
        ningún|ninguna|ni $bad más
        no|ya no hay|sale|da|tengo|tira|aparece|veo|falla|se|salen|aparecen|da .. $bad|más|cae|cuelga|error
        no .. más|ningún|ninguna $bad
        ya no falla|se|salta|da|sale|aparece|hay|tira|truena|cae|cuelga|ocurre|pasa
        no ha|volvió|ha vuelto .. a|fallar|caer|ocurrir|pasar
        $bad .. desapareció|desapareció|desaparecieron|resuelto|solucionado|arreglado
        desapareció|desaparecieron|se fue .. $bad|el
        se fue|quitó|solucionó|arregló|resolvió
        problema|misterio|asunto resuelto|solucionado|arreglado
        como esperaba|debía|debe|quería|pedí|dijiste
        confirmado
        mucho|bastante más rápido
        bajó|pasó de|a
        tests|pruebas|build|compilación|pipeline .. pasan|verde|pasa
    """,
    "perfect": "perfecto|perfecta\nexacto\nexactamente\nimpecable\nclavado\nde lujo|diez\nde maravilla",
    "praise": "gracias|genial|súper|super|bravo|estupendo|excelente|fantástico|guay|bien|chévere|buenísimo"
    "|felicidades\nbuen trabajo",
    "still": """
        sigue|siguen|sigo|continúa|continúan|persiste|persisten
        todavía|aún no|sale|da|falla|me|hay|está|aparece|tengo|el|la|lo|igual|con
        mismo|misma|mismos error|problema|fallo|resultado|cosa|mensaje|errores|que|comportamiento
        lo|el|la|exactamente mismo|misma error|problema|fallo|resultado|que|de|mensaje
        igual
        igual que
        como antes
        otra vez|vez el|la|falla|lo|error
        de nuevo el|falla|error|lo
        vuelve|volvió|vuelven a
        te dije|pedí|he|había|pregunté|digo
        dije|pedí que|solo|claramente|el|la
        quiero|quería solo|solamente|únicamente|que
        tercera|segunda|enésima vez
        cuántas veces
        te lo|la inventaste
        probaste
    """,
    "fail": """
        no|nunca|tampoco|nada funciona|funcionó|sirve|sirvió|funcionan|anda|va|compila|arranca|carga|pasa|pasan|\
cambia|cambió|ayuda|ayudó|encuentra|aparece|resuelve|resolvió|solucionó|soluciona|sale|muestra|guarda|hace|existe|\
conecta|es|era|está|se|lo|me|corre|responde|abre|quita|arregla|arregló|jala|reconoce
        no hay cambios|cambio|manera
        ^ nada
        no es|era lo|eso|así|cierto|correcto|verdad
        no hay manera|forma|cambios|caso
        sin cambios|efecto|éxito|resultado|suerte
        ningún|ninguna cambio|efecto|diferencia|mejora
        falla|fallan|falló|fallando|peta|truena|revienta|explota
        está|están|quedó|sale todo? mal|roto|rota|rotos|vacío|vacía
        roto|rota|rompiste|rompió
        incorrecto|equivocado|equivocada|mal
        peor
        más lento
        borraste|olvidaste|eliminaste|inventaste|quitaste|cambiaste|ignoraste|has olvidado|borrado|roto?
        te olvidaste|faltó|equivocaste
        en vez|lugar de
        ahora no|nada|todo|da|falla|sale|me|tampoco .. funciona|error|arranca|compila|va
        ya no funciona|compila|arranca|carga|abre|va|puedo|anda|conecta
        olvídalo
        lo hice|arreglé|resolví|encontré yo|solo
        demasiado lento|grande|tarde
        ni siquiera|arranca|compila|con
    """,
    "weak": "error|errores|excepción|fallo|problema|falta|faltan|vacío|perdido|rojo|ignora|pierde\nno",
    "part": """
        casi
        a medias
        en parte
        parcialmente
        mejor
        excepto|salvo
        menos el|la|en
        no del todo
        uno|una|dos|tres de|los|las dos|tres|cuatro|cinco|tres
        a mitad
    """,
    "only": """
        solo|sólo funciona|en|el|la|una|uno|pasa|pasan|sirve|para
    """,
    "revert": """
        revierte|revertir|reviértelo|revertí|deshaz|deshazlo|deshacer|regresa|regrésalo|devuélvelo|restaura
        vuelve|deja|déjalo|ponlo a|como estaba|como|lo|antes
        rollback
        vuelve atrás
    """,
    "later": """
        lo probaré|pruebo|miro|veo|reviso|miraré|revisaré|probare|leo
        voy|vamos|déjame a? probar|ver|mirar|revisar|comprobar|probarlo|verlo|mirarlo|leer
        probaré|miraré|revisaré|pruebo|comprobaré
        más tarde
        luego|mañana|después|anotado|tomo nota
        bueno saberlo
    """,
    "past": "al principio\nprimero\nantes\nayer",
    "mine": "mi error|culpa|fallo\nculpa mía\nfue cosa|culpa|error mía|mío\nme equivoqué|confundí",
    "wish": "ojalá\nestaría|sería bien|genial|bueno si",
    "if": "si\ncuando\nen caso",
    "aside": "otra|otro cosa|tema|pregunta|asunto\npor cierto\ncambiando de",
    "hush": """
        no hay problema|de
        sin problema|problemas
        no pasa nada
        nada más|mal
        de nada
        por qué no
        cómo|como funciona|funcionan|va|anda
        cómo .. funciona
        mensaje|mensajes|código de error
        ningún problema
        no sabía|sé|conocía|importa|hace|entiendo|me
        igual que|de|podemos|luego
        mejor|bien así|dicho|vamos
    """,
}
