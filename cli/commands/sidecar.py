"""sidecar: the judge of what worked, a model of this machine or another's, or no model at all."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

EXPLAINED = """\
A model reads how each exchange went on and says what worked; what it says moves
the memories that were shown. Without one, rules do that (`scoring` is then
cues). Nothing is sent to another machine unless you have confirmed which.

examples:
  aftermind sidecar setup
  aftermind sidecar setup --model ollama_chat/qwen3:8b --no-input
  aftermind sidecar setup --model openai/gpt-4o-mini \\
    --api-key-env OPENAI_API_KEY --confirm openai/gpt-4o-mini --no-input
  aftermind sidecar test
  aftermind sidecar disable"""


def configure(parser: ArgumentParser) -> None:
    from aftermind.cli.main import add_common

    parser.epilog = EXPLAINED
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    def action(name: str, about: str) -> ArgumentParser:
        added: ArgumentParser = actions.add_parser(name, help=about, allow_abbrev=False)
        added.description = f"{about[0].upper()}{about[1:]}."
        return added

    every = [_setup(action("setup", "choose the model that judges, and try it"))]
    every.append(action("test", "put one exchange to the model, and show what it says and costs"))
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


async def run(arguments: Namespace) -> int:
    from aftermind.cli.commands import sidecar_setup

    match arguments.action:
        case "setup":
            return await sidecar_setup.setup(arguments)
        case "test":
            return await sidecar_setup.test(arguments)
        case "disable":
            return await sidecar_setup.disable(arguments)
        case _:
            return await sidecar_setup.key(arguments)
