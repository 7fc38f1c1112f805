"""Whether words hold what is to be kept from everybody: a password, a key, a token, a PIN, an account. Pure.

Masking knows secrets by how they are written; "the db password is hunter2" is known by what it says alone. Rules that
speak of secrets and hold none ("never log tokens") are none.
"""

from __future__ import annotations

import re

from aftermind.engine.lazily import lazily
from aftermind.engine.masking.secrets import mask

_NOUN = (
    r"(?:pass ?(?:words?|codes?|phrases?)|passwd|pwd|pw|(?:api|access|private|secret|licen[cs]e|encryption|signing"
    r"|master|ssh|deploy|account|recovery|aes)[ _-]?keys?|secrets?|tokens?|credentials?|creds"
    r"|(?:my|our|the|a|your|its|his|her|card|sim|account|phone|door|'s)\s(?:\w+\s)?pins?(?!\w)"
    r"|pin(?=\s(?:code|number|is|ist|est|es|é|è|jest|\d{3}))|otp|iban|cvv|cvc|bic|card number|credit card"
    r"|(?:bank )?account (?:number|no)|social security|ssn|(?:recovery|backup|access|door) codes?|seed phrase"
    r"|\w{0,20}passw(?:o|ö)rt\w*|\w{0,20}kennw(?:o|ö)rt\w*|zugangsdaten|zugangscode|api-?schlüssel|\w{0,20}schlüssel"
    r"|geheimnis|kontonummer|mots? de passe|identifiants?|clés? (?:d'?)?api|jetons?|code secret|contraseñas?"
    r"|claves? (?:de )?\w+|credenciales|senhas?|credenciais|chaves? (?:de )?\w+|chiavi? api|credenziali"
    r"|wachtwoord\w*|toegangscode|inloggegevens|hasł\w+|klucz\w* api|парол\w+|ключ\w* api|токен\w*|şifre\w*|parola\w*)"
)
_SPOKEN = lazily(
    rf"(?<!\w){_NOUN}(?!\w)|パスワード|暗証番号|密码|密碼|口令|密钥|令牌|비밀번호|암호|토큰", re.IGNORECASE
)
_GIVEN = lazily(
    rf"(?<!\w){_NOUN}(?:\s(?:for|of|to|on|für|von|pour|de|para|di|voor|do|от|для)(?:\s\S{{1,40}}){{1,5}}?)?\s?"
    r"(?:(?:now|still|jetzt|here)\s)?(?:is|are|was|=|:|ist|lautet|sind|est|es|son|é|è|jest|to)\s"
    r"(?!(?:never|always|not|only|stored|kept|required|read|loaded|taken|in|managed|rotated|no|set|mandatory|forbidden"
    r"|banned|allowed|be|the|a|git|logs|nie|immer|nicht|toujours|jamais|nunca|siempre)\b)"
    rf"|(?<!\w){_NOUN}(?:\s\S{{1,20}}){{0,2}}?\s(?=\S{{4}})\S{{0,60}}\d"
    r"|パスワード|暗証番号|密码是|密码为|密碼是|口令是|비밀번호는",
    re.IGNORECASE,
)
_STORE = (
    r"(?:1password|(?:hashicorp )?vault|bitwarden|lastpass|dashlane|keepass(?:xc)?|(?:the |our )?keychain|doppler"
    r"|infisical|(?:aws |google |gcp )?secrets? manager|azure key vault|github secrets|(?:aws )?ssm|parameter store"
    r"|(?:the |our )?(?:password manager|keyring|key vault|secret store))"
)
_KEPT_IN = lazily(
    rf"\b(?:is|are|lives?) (?:all )?(?:(?:stored|kept|saved|managed) )?in {_STORE}"
    r"(?-i:,? (?:in |under )?(?:the |our )?(?:vault|item|folder|collection|section)(?: [A-Z][a-z]+){1,2})?\W*\Z",
    re.IGNORECASE,
)
"""In which safe a secret is kept, and nothing more: no value follows."""
_LOGIN = lazily(
    r"(?<!\w)(?:log(?:ged|ging)?[ -]?(?:in|on|into)|login|sign(?:ed)?[ -]?in(?:to)?|authenticate|username|einlogg\w*"
    r"|anmeld\w*|logg\w* .{0,40}\bein|se connecter|connecte-toi|iniciar sesión|accedi|войти|логин)(?!\w)"
    r".{0,80}(?:\b(?:as|with|using|and|mit|als|avec|con|com|met|z|с)\b|[:/=])",
    re.IGNORECASE,
)
_NUMBERS = lazily(
    r"(?<!\w)[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){3,7}|(?<![\w.])(?:\d[ -]?){13,19}(?![\w.])|://[^\s/:@]{1,80}:[^\s/@]{1,80}@"
    r"|\[masked "
)
"""Account and card numbers, addresses that hold a password, and what is masked by now."""


def names_secret(text: str) -> bool:
    """Whether words tell a secret, or how to log in; not whether they only forbid telling one."""
    text = _KEPT_IN.sub(" is kept", text)
    return bool(_GIVEN.search(text) or _LOGIN.search(text) or _NUMBERS.search(text)) or mask(text) != text


def speaks_of_secrets(text: str) -> bool:
    """Whether words name a secret at all, and more of it than in which safe it is: no value is kept out of such
    words."""
    return bool(_SPOKEN.search(text)) and not _KEPT_IN.search(text)
