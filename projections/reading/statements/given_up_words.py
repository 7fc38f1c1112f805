"""Words by which it is said that something is over, and names of which a project has one at a time. English; of other
languages nothing is read here. Pure."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


LEFT = _set(
    "dropped ditched abandoned scrapped binned killed axed retired sunset removed replaced renamed swapped uninstalled "
    "cancelled canceled deprecated decommissioned exchanged traded replaces deleted"
)
"""Somebody did it, and it is no more: `dropped X`."""
MOVED = _set(
    "switched moved migrated went gone changed ported converted transitioned shifted jumped swapped taken took"
)
"""From something, to something."""
ENDED = LEFT | _set("closed history")
"""`X is deprecated`."""
OUT = _set("gone out dead done over")
"""`X is gone`: for good where it is said what is there now; else it may be down."""
BECAME = _set("became becomes become renamed")
"""`X became Y`."""
BEFORE = LEFT | _set("from off without quit left ripped leaving behind away instead rather stopped")
AFTER = ENDED | BECAME | _set("behind away ended empty shut switched expired wiped over")
"""What may stand near to something that is over."""
INSTEAD = _set("replaced replaces")
"""What did it stands there instead."""
NEWER = _set("upgraded updated bumped now landed merged finally raised upgrade took brought went")
"""Of another version, that it is the one in use."""
USE = _set("use using on need run require uses used write writing")
COPULAS = _set(
    "is are 's 're was were got gets has have had been be now finally fully completely officially already 've"
)
POINTING = _set("the our old all that last this whole")

_FAMILIES = """
npm pnpm yarn bun
pip poetry uv pipenv conda pdm hatch
jest vitest mocha jasmine ava
pytest unittest nose
cypress playwright selenium puppeteer testcafe
webpack vite rollup parcel esbuild turbopack rspack
eslint biome oxlint tslint xo
black ruff yapf autopep8
flake8 pylint ruff
sequelize typeorm prisma drizzle knex mikro-orm
sqlalchemy peewee tortoise
redux zustand mobx jotai recoil pinia vuex
tailwind bootstrap bulma
jenkins circleci travis buildkite drone teamcity github+actions gitlab+ci
heroku fly.io render vercel netlify railway
postgres postgresql mysql mariadb sqlite mongodb mongo cockroachdb
jira linear asana trello shortcut
slack teams discord mattermost
github gitlab bitbucket gitea
winston pino bunyan log4j logback
moment dayjs luxon date-fns
celery dramatiq rq huey
rabbitmq kafka sqs nats
elasticsearch meilisearch opensearch typesense algolia solr
flask django fastapi
express fastify koa hono nestjs
react vue svelte angular solid
datadog newrelic grafana
sentry bugsnag rollbar
auth0 clerk okta cognito keycloak
terraform pulumi cloudformation opentofu
docker podman
aws gcp azure
vim neovim vscode emacs
sphinx mkdocs docusaurus
maven gradle bazel
axios ky got
junit testng
graphql rest grpc
"""
FAMILIES: tuple[frozenset[str], ...] = tuple(
    frozenset(name.replace("+", " ") for name in line.split()) for line in _FAMILIES.split("\n") if line
)
"""Tools that do the same, of which whoever goes to one has left the others."""
KNOWN = frozenset(name for family in FAMILIES for name in family)

VERSIONED = KNOWN | _set(
    "node nodejs deno python java jdk go golang ruby rails rust php laravel symfony typescript javascript kotlin swift "
    "scala elixir phoenix dotnet .net kubernetes k8s ubuntu debian alpine ios android xcode unity godot gradle spring "
    "next nuxt next.js redis nginx minsdk"
)
"""Names behind which a number is a version."""
PARTS = _set(
    "backend frontend front-end back-end web mobile ios android desktop client server worker admin dashboard landing "
    "staging stage production prod dev development qa uat legacy internal sdk cli ui"
)
"""Parts and environments of a project, each of which has its own."""
ELSEWHERE = _set(
    "they he she you job friend friends employer company companies competitor competitors customer customers client's "
    "upstream blog article tutorial readme somebody someone people folks guy guys colleague colleagues coworker "
    "neighbor school university uni everyone's others boss's twitter reddit hn forum video talk book course"
)
"""Whose doing it is where it is not this project's."""
PASSING = _set(
    "temporarily temporary momentarily briefly locally branch fork sandbox poc prototype spike demo debugging "
    "quickly once while"
)
"""It holds for a while, somewhere aside, or was taken back."""
PARTLY = _set(
    "half halfway partly partially almost nearly started starting began begun slowly gradually bit most mostly trying "
    "tried try failed"
)
WHEN = _set(
    "today yesterday monday tuesday wednesday thursday friday saturday sunday morning week weeks month months year "
    "sprint quarter january february march april may june july august september october november december last this "
    "since ago fully completely entirely now finally recently just already whole everywhere everything all across "
    "repo project codebase code over again heads up fyi btw ok okay so hey well yeah yep update build stack setup "
    "package.json dependencies deps dockerfile go.mod pyproject.toml"
)
"""When, and how far; nothing of what."""
