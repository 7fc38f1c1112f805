"""What a newer statement denies is over, whichever form its verb has and however exactly the older one said it."""

from __future__ import annotations

import pytest

from aftermind.projections.reading.statements.current import Settled
from aftermind.projections.reading.statements.keys import asks_for, found_by
from aftermind.projections.reading.statements.sought import sought
from tests.projections.test_sought import those
from tests.projections.test_statements import beside

BENT = (
    ("The API uses port 8080", "The API does not use port 8080"),
    ("The API uses port 8080", "The API doesn't use port 8080"),
    ("The API uses port 8080", "The API no longer uses port 8080"),
    ("The API does not use port 8080", "The API uses port 8080"),
    ("The worker needs Redis", "The worker does not need Redis"),
    ("The build takes 5 minutes", "The build doesn't take 5 minutes"),
    ("The gateway listens on port 80", "The gateway does not listen on port 80"),
    ("Sessions expire after 5 minutes", "Sessions do not expire after 5 minutes"),
)
BENT_APART = (
    ("The API uses port 8080", "The API does not use port 8080 in tests"),
    ("The API uses port 8080", "The API does not use port 8080 yet"),
    ("The API uses port 8080", "The API does not just use port 8080"),
    ("The API uses port 8080", "The API does not always use port 8080"),
    ("The API uses port 8080", "The API does not use port 8081"),
    ("The API uses port 8080", "The API did not use port 8080"),
    ("The API uses port 8080", "The admin does not use port 8080"),
    ("The API uses port 8080", "If it is behind nginx, the API does not use port 8080"),
    ("We use Redis", "We don't just use Redis"),
    ("Wir nutzen Redis", "Wir nutzen nicht immer Redis"),
    ("We use Redis", "We didn't use Redis"),
)
ANY_MORE = (
    ("We deploy with GitHub Actions", "We no longer deploy with GitHub Actions, we use Buildkite now"),
    ("We deploy with GitHub Actions", "We no longer deploy with GitHub Actions but with Buildkite"),
    ("We use Webpack", "We don't use Webpack any more, we use Vite"),
    ("We use Webpack", "We no longer use Webpack but Vite"),
    ("We deploy on Fridays", "We no longer deploy on Fridays but on Mondays"),
    ("We use Webpack as bundler", "We no longer use Webpack"),
    ("We use Webpack as bundler", "We don't use Webpack any more, we use Vite"),
    ("The API uses Redis as cache", "The API no longer uses Redis, it uses Kafka"),
    ("We deploy on Fridays", "We do not deploy on Fridays any more"),
    ("We deploy on Fridays", "We don't deploy on Fridays anymore."),
    ("We use Redis", "We do not use Redis any more, it was too slow"),
    ("We use Redis", "We do not use Redis any longer"),
    ("The API uses port 8080", "The API does not use port 8080 any more"),
    ("We use npm", "we no longer use npm, only pnpm"),
    ("We use npm", "We don't use npm any more, only use pnpm"),
    ("We write docs in German", "We no longer write docs in German, only in English"),
    ("I like dark mode", "I don't like dark mode any more, I like light mode"),
    ("I like dark mode", "I don't like dark mode any more but I like light mode"),
    ("I like dark mode", "I don't like dark mode any more, I want light mode"),
    ("I like tabs", "I don't like tabs anymore; now I prefer spaces"),
    ("I love tabs", "I no longer love tabs, I love spaces"),
    ("We like tabs", "We don't like tabs any more, we like spaces"),
)
ANY_MORE_APART = (
    ("We use npm", "we no longer use npm, only in the docs"),
    ("We use npm", "we no longer use npm, only docs"),
    ("We use npm", "we no longer use npm, only Tom"),
    ("We use npm", "we no longer use npm, only npm ci"),
    ("We use npm", "we no longer use npm, only rarely"),
    ("We use npm", "we no longer use npm, only for the docs"),
    ("We use npm", "we no longer use npm, only pnpm in the docs"),
    ("We use npm", "we no longer use npm for the docs, only pnpm"),
    ("We use npm", "we no longer use npm, only when pnpm fails"),
    ("We use npm", "we no longer use npm, only pytest"),
    ("We use npm", "we use npm, only pnpm is slow"),
    ("We use npm", "We will no longer use npm, only pnpm"),
    ("We use yarn", "we no longer use npm, only pnpm"),
    ("We use pnpm", "we no longer use npm, only pnpm"),
    ("We need tests", "We do not need any more tests"),
    ("We deploy on Fridays", "We do not deploy on Mondays any more"),
    ("We deploy on Fridays", "We do not deploy billing on Fridays any more"),
    ("We use Redis", "We do not use Redis any more than Postgres"),
    ("We use Redis", "We do not use any more Redis"),
    ("We use Redis", "Do we use Redis any more?"),
    ("We use Redis", "We no longer use just Redis"),
    ("We use Redis", "We don't use just Redis any more, we use Kafka"),
    ("We use Redis as cache", "We no longer use just Redis, we use Kafka"),
    ("We use Redis", "We no longer use Redis but Tom does"),
    ("We use Redis", "We no longer use Redis but not everywhere"),
    ("We use Redis", "We no longer use Redis but on weekends"),
    ("We use Redis", "We no longer use Redis, we use Redis at night"),
    ("We use Redis", "We don't like Redis any more, we like Kafka"),
    ("I like dark mode", "I don't like dark mode any more, I like dark mode at night"),
    ("I like dark mode", "I don't like dark mode any more, I like it less"),
    ("I like dark mode", "I don't like dark mode any more in the editor, I like light mode there"),
    ("I like dark mode", "I don't like the dark mode of Slack any more, I like light mode"),
    ("I like light mode", "I don't like dark mode any more, I like light mode"),
    ("I like vim", "I don't like emacs any more, I like vim"),
    ("I like vim", "I don't like emacs any more, I like nano"),
    ("I like tabs", "I don't like tabs any more, I like them in Go"),
    ("I like tabs", "I don't like tabs any more, I still like them in Go"),
    ("I like tabs", "I don't like tabs in Python any more, I like spaces"),
    ("I like tabs", "I don't like tabs any more than spaces, I like both"),
    ("I like tabs", "Tom doesn't like tabs any more, he likes spaces"),
    ("I like tabs", "The team doesn't like tabs any more, we like spaces"),
    ("I like tabs", "If I don't like tabs any more, I like spaces"),
    ("I like tabs", "Maybe I don't like tabs any more, I like spaces"),
    ("I like tabs", "I don't just like tabs any more, I like spaces too"),
    ("I like tabs", "I don't like tabs any more, I love tabs"),
    ("I like tabs", "I didn't like tabs any more, I liked spaces"),
)
LESS_EXACT = (
    ("The billing service uses Postgres 14", "The billing service no longer uses Postgres, it uses MySQL 8"),
    ("The billing service uses Postgres 14", "The billing service does not use Postgres any more"),
    ("The build requires Java 17", "The build does not require Java"),
    ("Der Dienst nutzt Postgres 14", "Der Dienst nutzt Postgres nicht mehr"),
    ("We use Node 18", "We no longer use Node"),
)
LESS_EXACT_APART = (
    ("The billing service uses Postgres 14", "The search service no longer uses Postgres, it uses MySQL 8"),
    ("The billing service uses Postgres 14", "The billing service no longer uses Postgres for reports"),
    ("The billing service uses Postgres 14", "The billing service no longer uses Postgres 13"),
    ("The billing service uses Postgres", "The billing service no longer uses Postgres 13"),
    ("The billing service uses Postgres 14", "The billing service no longer uses Redis"),
    ("The billing service uses Postgres 14 in CI", "The billing service no longer uses Postgres"),
    ("The build takes 5 minutes", "The build does not take"),
    ("The billing service uses Postgres 14", "The billing service uses Postgres"),
    ("The form requires step 3", "The form does not require step"),
)


@pytest.mark.parametrize(("older", "newer"), BENT + ANY_MORE + LESS_EXACT)
def test_what_is_denied_is_over(older: str, newer: str) -> None:
    assert [memory for memory, _ in beside(older, newer).replaced] == ["old"]
    assert beside(newer, older) != Settled()  # said the other way round it is so again
    for one, other in ((older, newer), (newer, older)):
        assert asks_for(one) & found_by(other)
        assert other in those([other], sought(one))


@pytest.mark.parametrize(("older", "newer"), BENT_APART + ANY_MORE_APART + LESS_EXACT_APART)
def test_what_is_denied_of_something_else_or_in_part_ends_nothing(older: str, newer: str) -> None:
    assert beside(older, newer) == Settled()


GOES_ON = (
    *(
        ("We use Webpack", f"We no longer use Webpack{more}")
        for more in (
            " but only for the docs",
            ", but still for the docs",
            " in CI, we use Vite",
            ", do we?",
            ", we think",
            ", we use it only in docs",
            ", if I am right",
        )
    ),
    ("We use Webpack", "If we no longer use Webpack, we use Vite"),
    ("We use Webpack", "We no longer only use Webpack, we use Vite too"),
    ("We use Webpack 4", "We no longer use Webpack 5, we use Vite"),
    ("We use Vite", "We no longer use Webpack, we use Vite"),
    ("The docs use Webpack", "We no longer use Webpack, we use Vite"),
    ("We use Webpack for the docs", "We no longer use Webpack, we use Vite"),
    ("We use Webpack as bundler", "We no longer use Webpack as test runner"),
    ("We use Webpack as bundler", "We no longer use Webpack for the docs"),
    ("We use Webpack as bundler in CI", "We no longer use Webpack"),
    ("We use Redis as cache", "We don't only use Redis"),
    ("We use Redis as cache", "We use Redis"),
    ("We use Redis as cache", "We did not use Redis"),
)


@pytest.mark.parametrize(("older", "newer"), GOES_ON)
def test_what_is_over_in_part_or_elsewhere_goes_on(older: str, newer: str) -> None:
    assert not beside(older, newer).replaced
