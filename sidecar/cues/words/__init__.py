"""What people say of something that was done for them, a file a language.

The signs: `work` and `fail` say how it turned out; `still` that it is as it was, even in a question. `weak` is a \
word for
trouble, which may be of something else. `perfect` approves, `praise` is only polite (or sarcasm). `part`: not all \
of it.
`revert` takes it back. `later`: it was not tried yet. `past` speaks of what was before. `mine` blames oneself. \
`wish` is what
would be, `if` a condition. `aside` turns to something else. `hush` only looks like one of these. Names with `$` \
are sets of
words; how a phrase is written is said in `utterances/phrases.py`.
"""

from aftermind.sidecar.cues.words import de, en, es, fr, hi, it, ja, ko, nl, pl, pt, ru, tr, uk, zh

LANGUAGES = {
    "en": en.PHRASES,
    "de": de.PHRASES,
    "fr": fr.PHRASES,
    "es": es.PHRASES,
    "pt": pt.PHRASES,
    "it": it.PHRASES,
    "nl": nl.PHRASES,
    "pl": pl.PHRASES,
    "ru": ru.PHRASES,
    "uk": uk.PHRASES,
    "tr": tr.PHRASES,
    "ja": ja.PHRASES,
    "zh": zh.PHRASES,
    "ko": ko.PHRASES,
    "hi": hi.PHRASES,
}
