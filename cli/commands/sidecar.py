"""sidecar: the judge of what worked, a model of this machine or another's, or no model at all."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from aftermind.cli.terminal.arguments import actions_of, add_project, count, plain_id

EXPLAINED = """\
A model reads how each exchange went on and says what worked; what it says moves
the memories that were shown. Without one, rules do that. Nothing is sent to
another machine unless you have confirmed which. What `setup` and `test` ask is
one request more, which is not counted in the limits of a day.

examples:
  aftermind sidecar setup
  aftermind sidecar setup --model ollama_chat/qwen3:8b --no-input
  aftermind sidecar setup --model openai/gpt-4o-mini \\
    --api-key-env OPENAI_API_KEY --confirm openai/gpt-4o-mini --no-input
  aftermind sidecar status
  aftermind sidecar rescore --since 7d --scorer model --dry-run
  aftermind sidecar disable"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    action = actions_of(parser)
    every = [_setup(action("setup", "choose the model that judges, and try it"))]
    every.append(action("status", "which model, what waits, what it cost, what went wrong"))
    every.append(action("test", "put one exchange to the model, and show what it says and costs"))
    every.append(action("run", "judge here and now what is ready, by the model or by rules"))
    retry = action("retry", "wait again for verdicts that were given up, and begin again what had stopped")
    retry.add_argument("exchanges", metavar="EXCHANGE", nargs="*", type=plain_id, help="these alone")
    every.append(retry)
    rescore = action("rescore", "judge again what was judged")
    _add_stretch(rescore, required=True)
    rescore.add_argument(
        "--scorer",
        choices=("model", "rules", "cues"),
        metavar="model|rules",
        help="who is to judge (default: who judges now)",
    )
    rescore.add_argument(
        "--also",
        action="append",
        choices=("person", "assistant"),
        default=[],
        help="also what a person or the assistant judged, which otherwise stands",
    )
    every.append(rescore)
    extract = action("extract", "judge imported history, which is not judged by itself")
    _add_stretch(extract, required=False)
    every.append(extract)
    disable = action("disable", "no model judges any more, rules do")
    disable.add_argument("--forget", action="store_true", help="forget the model, too, and its key in the keyring")
    every.append(disable)
    key = action("key", "put the API key into the system's keyring, or take it out")
    key.add_argument("step", choices=("set", "remove"), metavar="set|remove", help="a key is asked for, or piped in")
    every.append(key)
    for one in every:
        add_common(one)


def _setup(parser: ArgumentParser) -> ArgumentParser:
    parser.add_argument("--model", metavar="PROVIDER/MODEL", help="as litellm names it: ollama_chat/qwen3:8b")
    parser.add_argument("--base-url", metavar="URL", help="where it is asked, if not at its provider's own address")
    parser.add_argument("--api-key-env", metavar="NAME", help="the environment variable that holds its API key")
    parser.add_argument("--keyring", action="store_true", help="its API key is in the system's keyring, or goes there")
    parser.add_argument("--confirm", metavar="HOST/MODEL", help="what is said may be sent to this model elsewhere")
    parser.add_argument("--no-input", action="store_true", help="ask nothing; without --model, take the recommended")
    return parser


def _add_stretch(parser: ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--since", metavar="WHEN", required=required, help="said since then: 2026-05-01, yesterday, or 7d (ago)"
    )
    parser.add_argument("--until", metavar="WHEN", help="said by then; a day is over")
    parser.add_argument("--session", metavar="SESSION", help="of this session alone")
    parser.add_argument("--limit", metavar="N", type=count, help="the newest N alone")
    parser.add_argument("--dry-run", action="store_true", help="say what would be judged; ask for nothing")
    add_project(parser, default="the whole store")


async def run(arguments: Namespace) -> int:
    from aftermind.cli.commands import sidecar_asking, sidecar_leaving, sidecar_setup, sidecar_state

    match arguments.action:
        case "setup":
            return await sidecar_setup.setup(arguments)
        case "test":
            return await sidecar_setup.test(arguments)
        case "disable":
            return await sidecar_leaving.disable(arguments)
        case "key":
            return await sidecar_leaving.key(arguments)
        case "status":
            return await sidecar_state.status(arguments)
        case "run":
            return await sidecar_asking.run(arguments)
        case "retry":
            return await sidecar_asking.retry(arguments)
        case "rescore":
            return await sidecar_asking.rescore(arguments)
        case _:
            return await sidecar_asking.extract(arguments)
