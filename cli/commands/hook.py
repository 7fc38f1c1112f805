"""hook: the command line by which an editor's hook, or a script, reaches the daemon in a few milliseconds."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace

from aftermind.cli.language.misused import Misused

EXPLAINED = """\
What it prints is the same for as long as the store stays where it is: print it
once and keep it, in the editor's configuration or a variable. Its last word,
json, names the form of what is piped in: the object `aftermind record --help`
shows. After it comes the event:

  prompt      a prompt was sent; prints the briefing for it, or nothing
  turn        an answer is complete; records the exchange
  end         the session is over
  checkpoint  says where the work stands: the object of `aftermind checkpoint`

It needs no daemon, starts one, and never fails: what was said while none
answered waits in the spool. When the package is gone it does nothing and ends
with 0. Only where the store itself was taken away the shell finds no command.

--client names another form: what that assistant hands its hooks. Its events
also are start, gate, tool, subagent, compact, compacted and failed.
`aftermind init` writes these commands where the assistant looks for them.

--check tells what would become of an event, and records nothing.

examples:
  hook="$(aftermind hook)"
  echo '{"prompt": "Which port?", "session": "s1"}' | eval "$hook prompt"
  echo '{"promt": "Why?", "session": "s1"}' | aftermind hook --check prompt
  aftermind hook --client claude-code --check turn < recorded.json

A path may have a space in it; what is printed is quoted for that, and eval is
what makes a shell heed it."""


def configure(parser: ArgumentParser) -> None:
    parser.usage = "%(prog)s [--client CLIENT] [--check EVENT] [--home FOLDER] [--json]"
    parser.epilog = EXPLAINED
    parser.add_argument(
        "--check", metavar="EVENT", help="say how an event on standard input is understood; record nothing"
    )
    parser.add_argument(
        "--client", metavar="CLIENT", default="json", help="whose form it is: json (default), claude-code, cursor, …"
    )
    parser.add_argument("words", metavar="EVENT", nargs="*", help=SUPPRESS)


async def run(arguments: Namespace) -> int:
    if arguments.words:
        event = arguments.words[-1]
        raise Misused(
            f"this prints a command and runs none: {' '.join(arguments.words)}",
            hint=f'`eval "$(aftermind hook) {event}"` runs it, `aftermind hook --check {event}` tries it',
        )
    if arguments.check is not None:
        await _check(arguments)
    else:
        _print(arguments)
    return 0


def _print(arguments: Namespace) -> None:
    import shlex

    from aftermind.cli.doors import command, copied
    from aftermind.cli.forms import CLIENTS
    from aftermind.cli.forms.form import word
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.tables import show_json, show_text
    from aftermind.engine.store.folder import fit_folder
    from aftermind.engine.store.lasting import said

    client = word("client", arguments.client, CLIENTS)
    folder = fit_folder(home_of(arguments), make=True)
    with said(folder):
        copied(folder)
    words = [*command(folder), client]
    show_json({"command": words}) if arguments.json else show_text(shlex.join(words))


async def _check(arguments: Namespace) -> None:
    """What an event would be understood as, by the code that understands it in the daemon."""
    import os

    from aftermind.cli.forms import meant
    from aftermind.cli.language.requests import Brief, Checkpoint, Deliver, EndSession, EndTurn, NoteTool, Record
    from aftermind.cli.language.sessions import AskGate
    from aftermind.cli.language.wire import NotUnderstood
    from aftermind.cli.places import as_written, place_of
    from aftermind.cli.terminal.stdin import all_of_stdin
    from aftermind.cli.terminal.tables import counted, say, show_hanging, show_json
    from aftermind.engine.projects import display_name

    try:
        here = as_written(os.path.curdir) or ""
    except FileNotFoundError:  # it was removed
        here = ""
    piped = (await all_of_stdin()).encode("utf-8", "replace")
    try:
        asked = meant(Deliver(client=arguments.client, event=arguments.check, payload=piped, directory=here))
    except NotUnderstood as error:
        if error.hint == NotUnderstood.hint:  # it was piped in here: no other version has sent it
            error.hint = "pipe in what the client pipes into its hook; `aftermind record --help` shows our own form"
        raise
    found: dict[str, str | int] = {"event": arguments.check}
    if asked is not None:
        found["session"] = asked.session or ""
    if asked is not None and not isinstance(asked, EndSession):
        place = None if asked.project is None else place_of(asked.project)
        found["project"] = "" if place is None else display_name(place)
        found["folder"] = "" if place is None else place.directory
        if not isinstance(asked, AskGate):
            found["client"] = getattr(asked, "client", "")
    if isinstance(asked, Brief | Record | EndTurn):
        found["prompt"] = len(asked.prompt or "")
    if isinstance(asked, Record | EndTurn):
        found["answer"] = len(asked.answer)
    if isinstance(asked, Record):
        found["tools"] = len(asked.tools)
    if isinstance(asked, NoteTool):
        found["tools"] = 1
    if isinstance(asked, Checkpoint):
        found["summary"] = len(asked.text)
    why = await _why_not(arguments, here, getattr(asked, "project", None))
    if why:
        found["withheld"] = why
    if arguments.json:
        show_json(found)
        return
    for name, value in found.items():
        if value and name != "withheld":
            said = counted(value, "tool" if name == "tools" else "character") if isinstance(value, int) else value
            show_hanging(f"{name:<8}  ", said, paths=True)
    if why:
        say(f"withheld  {why}")
        say("It is understood. It would neither be recorded nor answered.")
    elif asked is None:
        say("It is understood, and nothing would be done.")
    else:
        say("It is understood. Nothing was recorded.")


async def _why_not(arguments: Namespace, here: str, project: str | None) -> str:
    """Why nothing would be captured or shown, if that is so."""
    from aftermind.cli.config import ignore_file
    from aftermind.cli.opening import home_of, opened
    from aftermind.cli.places import folder_of
    from aftermind.cli.privacy.lists import Lists
    from aftermind.cli.privacy.telling import paused_in
    from aftermind.engine.stamp import Stamp

    lists = Lists(ignore_file())
    for place in dict.fromkeys((here, project)):
        folder = folder_of(place) if place else None
        if folder is not None and (why := lists.why(folder, is_folder=True)):
            return f"{folder} is off limits: {why}"
    if not paused_in(home_of(arguments), Stamp().now()):
        return ""
    async with opened(arguments, make=False) as memory:
        for place in dict.fromkeys((here, project)):
            if why := (await memory.limits(place)).why:
                return why
    return ""
