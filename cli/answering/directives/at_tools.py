"""Standing rules before a tool is used that meets their condition: once a turn, recorded as what was shown."""

from __future__ import annotations

from msgspec import structs

from aftermind.cli.answering.filing import seen_by
from aftermind.cli.answering.opened import Opened
from aftermind.cli.answering.recalling.injecting import shown
from aftermind.cli.language.sessions import AskGate
from aftermind.engine.events import ContextInjected
from aftermind.engine.log import Append
from aftermind.engine.names import Scope, SessionId, session_stream
from aftermind.engine.sqlite import Connection
from aftermind.engine.stamp import derive_id
from aftermind.projections.recalling.shown.briefing import briefing
from aftermind.projections.recalling.standing.directives import applying, told

BY_A_TOOL = "applies to the tool that is about to be used"
"""Why it was shown, without a word of the rule: what is forgotten must not stand here."""
_SHOWN = """SELECT s.memory FROM injection i JOIN shown s ON s.injection = i.id
  WHERE i.session = ? AND i.position > ifnull((SELECT position FROM prompt WHERE session = ?), 0)"""


async def rules_at_a_tool(store: Opened, asked: AskGate, session: SessionId, scope: Scope) -> str:
    """The briefing of those that apply and were not shown since the session's last prompt; empty where none is."""
    now, scopes = store.stamp.now(), await seen_by(store, scope)
    found = await store.read(lambda c: applying(c, scopes, now, asked.doing, asked.paths))
    known = await store.read(lambda c: _shown(c, session)) if found else set()
    fresh = [(rule, why) for rule, why in found if rule.id not in known]
    if not fresh:
        return ""
    rules, why = [rule for rule, _ in fresh], {rule.id: reason for rule, reason in fresh}
    hits = await store.read(lambda c: told(c, rules, why, scope))
    block = briefing(hits, (), now, store.policy.ranking)
    if not block.hits:
        return ""
    wordless = [structs.replace(hit, reasons=(BY_A_TOOL,)) for hit in block.hits]
    event = ContextInjected(session=session, scope=scope, query="", shown=shown(wordless), tokens=block.tokens)
    id = derive_id(session, f"rules for {asked.call}") if asked.call else None
    await store.log.append(Append(stream=session_stream(session), drafts=(store.stamp.draft(event, id=id),)))
    return block.text


def _shown(connection: Connection, session: SessionId) -> set[str]:
    return {memory for (memory,) in connection.execute(_SHOWN, (session, session))}
