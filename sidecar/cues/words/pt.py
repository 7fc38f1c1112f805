"""Portuguese."""

PHRASES = {
    "$bad": "erro erros problema problemas falha falhas exceção aviso avisos bug bugs travamento queda quedas "
    "conflito warning warnings",
    "$goes": "funciona funcionam funcionou funcionando resolvido resolvida resolveu corrigido consertado rolou "
    "rodou andou compilou "
    "passou passaram subiu",
    "work": """
        $goes
        deu certo|bom|boa
        agora|já|tudo|sim|assim|pronto foi? compila|roda|sobe|carrega|passa|passam|foi|vai|abre|aparece|inicia|\
conecta|está|tá|ficou certo|certinho|bem|ok|ótimo?
        passam|passa|roda|rodando|compila|carrega|abre|sobe|andando todos|todas|bem|certinho|normal|normalmente|\
perfeitamente|agora|tudo|liso|sem|redondo|direitinho|certo|perfeito
        tudo|todos|todas certo|ok|verde|verdes|funcionando|passando|passaram|no|resolvido|em
        ficou|está|tá bom|ótimo|perfeito|certo|certinho|verde|excelente|show|resolvido|rápido|correto
        era isso|exatamente|mesmo|justamente
        isso|exatamente mesmo|era|isso
        exatamente o que|isso
        matou a
        tinha|tem|tinhas razão
        nenhum|nenhuma|sem|zero|nem|0 mais? um|uma? $bad
        não .. mais|nenhum|nenhuma $bad
        não dá|deu|tem|aparece|sai mais nenhum|nenhuma? $bad
        não|nunca mais? dá|deu|aparece|trava|cai|quebra|falha|ocorre|acontece|apareceu|travou|caiu|tem|falhou mais
        parou|parou|pararam de travar|cair|falhar|dar|quebrar|reclamar
        $bad .. sumiu|sumiram|desapareceu|resolvido|desapareceram
        sumiu|sumiram|desapareceu
        problema|mistério resolvido
        como esperado|eu|queria|deveria
        muito|bem mais rápido
        caiu de|para
        confirmado
    """,
    "perfect": "perfeito|perfeita\nexato\nexatamente\nimpecável\nshow de\ncem por",
    "praise": "obrigado|obrigada|valeu|ótimo|show|legal|bacana|maravilha|excelente|parabéns|top|massa|brilhante"
    "\nbom trabalho",
    "still": """
        continua|continuam|persiste|persistem
        ainda não|dá|está|tá|aparece|o|a|falha|com|assim|sem|vem|tem|cai|trava|quebra|mostra|me|recebo
        mesmo|mesma|mesmos erro|problema|coisa|resultado|erros|mensagem|falha|que
        o|a|deu|dá|exatamente mesmo|mesma erro|problema|coisa|resultado|mensagem|de
        igual
        na mesma
        como antes
        de novo o|a|dá|deu|erro
        outra vez
        eu disse|pedi|falei|queria|quero|perguntei|tinha
        disse|pedi|falei|quero que|para|só|o|a|apenas
        terceira|segunda|enésima vez
        quantas vezes
        você testou
        inventou|inventaste
    """,
    "fail": """
        não|nem|nada|nunca funciona|funcionou|adiantou|adianta|resolveu|resolve|ajudou|mudou|muda|compila|roda|sobe|\
carrega|passa|passam|deu|dá|foi|vai|encontra|acha|aparece|existe|abre|é|era|está|salva|mostra|conecta|inicia|rolou|\
serve|serviu|fez|faz|surtiu|reconhece
        nada|nenhum|nenhuma mudou|muda|mudança|efeito|diferença|funciona|feito|acontece
        sem efeito|sucesso|mudança|diferença
        falha|falhou|falham|quebrou|quebra|quebrado|quebrada|travou|trava|caiu|cai|estourou
        deu|dá|está|tá ruim|errado|erro|errada|pau
        errado|errada|incorreto
        pior|piorou
        mais lento
        você|vc esqueceu|apagou|removeu|quebrou|inventou|ignorou|mudou|não
        esqueceu|apagou|apagaste|removeu
        em vez|invés de
        ao invés
        agora não|nada|tudo|dá|quebrou|o|nem .. funciona|erro|abre|compila|sobe|abre
        esquece
        fiz|resolvi|achei|consertei .. eu|sozinho|mesmo
        não é|era isso|o|verdade|assim
        não foi|era isso|o que
        muito lento|grande|devagar
        nem compila|abre|sobe|roda|inicia
    """,
    "weak": "erro|erros|exceção|falha|problema|falta|faltam|vazio|vazia|sumiu|perdido|perde|ignora|vermelho"
    "|errado\nnão",
    "part": """
        quase
        pela metade
        em parte
        parcialmente
        melhor|melhorou
        exceto|menos
        não totalmente|completamente
        um|uma|dois|duas|três dos|das|de dois|duas|três|quatro|cinco
        metade
    """,
    "only": """
        só|apenas funciona|no|na|o|a|um|uma|metade|em|funcionou|passou
    """,
    "revert": """
        reverte|reverta|reverter|desfaz|desfaça|desfazer|restaura|restaure
        volta|volte|voltar|coloca|deixa .. atrás|como|antes|estava|anterior
        rollback
    """,
    "later": """
        vou testar|tentar|ver|olhar|verificar|experimentar|ler|dar|conferir|rodar
        testo|vejo|olho|tento|confiro
        mais tarde
        depois|amanhã|anotado|anotei
        bom saber
        deixa eu ver|testar
    """,
    "past": "no começo|início\nprimeiro\nantes\nontem",
    "mine": "erro|culpa meu|minha\nmeu erro\nminha culpa\nfalha|vacilo minha|meu\neu que",
    "wish": "quem dera\nseria bom|ótimo se\ntomara",
    "if": "se\nquando\ncaso",
    "aside": "outra coisa|pergunta|dúvida\noutro assunto\naliás\nmudando de",
    "hush": """
        sem problema|problemas
        não tem problema
        de nada
        nada mal
        por que não
        como|onde funciona|funcionam|roda
        como .. funciona
        mensagem|mensagens|código de erro
        não sabia|sei|conhecia|entendi|precisa
        melhor|bem assim
        igual ao|a
    """,
}
