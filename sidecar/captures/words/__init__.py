"""What people say when they say something worth keeping, a language a table.

`rule`, `taste` and `choice` are signs of directives, preferences and decisions; `rulish` is one where it is said of
what one works on in general, `put` says where such things go. `verb` and `thing` are of configuration: a thing that
has a value. `use` is of what somebody works with, `lead` begins something to be known, `wish` what is to be
remembered, `deny` a correction, `about` is of the person or the project. What follows keeps a clause from being
captured: `once` is for this time only, `maybe` is not said for sure, `others` is not of this project or no more than
a story, `state` is how something is just now, `place` where that was seen, `trouble` what went wrong; `ask` is a
request, `spec` one to make what was said, `change` one to make it another. `everywhere` is said for all projects.
`$order` is what may be ordered after "never" and "always".
"""

from aftermind.sidecar.captures.words import eastern, ja, ko, western, zh
from aftermind.sidecar.captures.words.en import PHRASES

LANGUAGES = {
    "en": PHRASES,
    "de": western.DE,
    "fr": western.FR,
    "es": western.ES,
    "pt": western.PT,
    "it": western.IT,
    "nl": western.NL,
    "pl": eastern.PL,
    "ru": eastern.RU,
    "uk": eastern.UK,
    "tr": eastern.TR,
    "ja": ja.PHRASES,
    "zh": zh.PHRASES,
    "ko": ko.PHRASES,
}
