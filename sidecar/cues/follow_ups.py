"""What the user's next message says of how an exchange turned out: signs, each with its words. Pure.

A clause counts by what it is: a report counts; a question, a request, a condition, an intention, a hope does not. What
was pasted counts where it is output that fails or passes. A word for trouble counts only where it is of this exchange.
Text that addresses a judge is left out before anything is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from aftermind.projections.reading.reacting import complaint
from aftermind.sidecar.cues.clauses.amounts import Sign, counted
from aftermind.sidecar.cues.clauses.heard import Heard, content, first_word, hear, topics
from aftermind.sidecar.cues.clauses.outputs import printed
from aftermind.sidecar.cues.clauses.summaries import summed_up
from aftermind.sidecar.cues.comparing.another_matter import of_another_matter
from aftermind.sidecar.cues.comparing.apart import apart
from aftermind.sidecar.cues.comparing.as_before import fails_as_before
from aftermind.sidecar.cues.comparing.corrected import corrected
from aftermind.sidecar.cues.comparing.in_passing import without_asides
from aftermind.sidecar.cues.comparing.instead import put_instead
from aftermind.sidecar.cues.comparing.other_means import without_other_means
from aftermind.sidecar.cues.comparing.printed_apart import prints_apart
from aftermind.sidecar.cues.comparing.repeated import asked_again, comes_true, works_by_name
from aftermind.sidecar.cues.weighing.doubted import believed
from aftermind.sidecar.cues.weighing.remarks import Setting, remarks, setting_of
from aftermind.sidecar.cues.weighing.replied import names_a_value
from aftermind.sidecar.cues.weighing.reported import reported
from aftermind.sidecar.cues.weighing.tallied import STEADY, begun, weighed
from aftermind.sidecar.cues.weighing.unreported import UNREPORTED, denies
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.addressed import by_a_client, without_orders
from aftermind.sidecar.utterances.grammar import DISCUSSES, OF_AN_ANSWER, OWN_SLIP, UNTRIED, WANTS_TROUBLE
from aftermind.sidecar.utterances.phrases import Table
from aftermind.sidecar.utterances.voice import ends_of, listen

_ASKED_FOR = re.compile(
    r"\?\s*$|\b(?:paste|send|share|post|tell me|show me|provide|let me know|could you|can you)\b"
    r"|\b(?:schick|zeig|poste|sag mir)\w*|\b(?:envoie|colle|montre|pega|envía|mándame|cole|mande|incolla|manda"
    r"|wklej|podaj)\w*"
    r"|пришл\w+|покаж\w+|скинь\w*|надішл\w+|yapıştır|貼|教えて|发一下|贴|붙여|보내",
    re.IGNORECASE,
)


def signs_of(case: Case, follow_up: str, table: Table) -> list[Sign]:
    """The signs in a follow-up, in the order of their weight; none where nothing is said of the exchange."""
    follow_up = by_a_client(ends_of(follow_up))
    sums, said = summed_up(without_orders(follow_up))
    amounts, rest = counted(said, case.prompt)
    message = listen(rest)
    trouble_wanted = WANTS_TROUBLE.search(case.prompt) is not None
    if sums:
        amounts = [] if trouble_wanted else [Sign("fail", sums[0].strip())]
        message = structs.replace(message, pasted=(*message.pasted, *sums))
    asked_back = _ASKED_FOR.search(case.answer[-300:]) is not None
    about = content(f"{case.prompt} {case.answer}")
    if UNTRIED.search(message.typed) or OWN_SLIP.match(message.typed):
        return []
    own = without_orders(message.typed)
    mended = "" if asked_back else corrected(case.answer, own)
    if mended:
        return [Sign("fail", mended)]
    heard = hear(follow_up, message, table)
    if names_a_value(case.answer, heard):
        return []
    setting = setting_of(heard, about, trouble_wanted=trouble_wanted, asked_back=asked_back)
    signs = _typed(heard, amounts, setting)
    if not trouble_wanted:
        if DISCUSSES.match(case.prompt):
            signs = [sign for sign in signs if sign.says != "fail" or first_word(sign.words) in OF_AN_ANSWER]
        signs = apart(signs, heard, {word[:length] for word in topics(case.prompt) for length in (3, 4)})
    signs = without_other_means(without_asides(signs, heard, case), heard, case, message.typed)
    signs = believed(signs, heard, about, complains=bool(complaint(message.typed)))
    another = of_another_matter(signs, heard, case) or fails_as_before(signs, heard, case)
    if another:
        signs = []
    put = "" if asked_back else put_instead(case, own, follow_up)
    if put and all(sign.says == "work" for sign in signs):
        return [*signs, Sign("fail", put)]
    apart_from_it = prints_apart(message, follow_up, heard, case, another)
    if not trouble_wanted and not asked_back and not apart_from_it:
        signs += printed(message, follow_up, heard, about, signs)
    if not signs and not trouble_wanted and not asked_back:
        true = comes_true(case.prompt, heard) or works_by_name(heard, about)
        signs += [Sign("work", true)] if true else []
    if not signs and asked_again(case.prompt, follow_up):
        signs.append(Sign("fail", follow_up.strip()))
    return signs


def _typed(heard: Sequence[Heard], amounts: Sequence[Sign], setting: Setting) -> list[Sign]:
    """What a user says in their own words, beside what the amounts say: remark by remark, then weighed together."""
    tally = begun(amounts)
    for remark in remarks(heard, setting):
        if denies(remark, heard):
            tally = tally.adding("fail", remark.text, STEADY)
        other = next((after for rule in UNREPORTED if (after := rule(remark, tally)) is not None), None)
        tally = reported(remark, tally) if other is None else other
    return weighed(tally, setting)
