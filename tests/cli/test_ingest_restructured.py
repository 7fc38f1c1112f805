"""reStructuredText is its sections, paragraphs, lists and code, without what its directives only do."""

from __future__ import annotations

import pytest
from tests.documents import outline

from aftermind.cli.reading.restructured import items


def test_restructured_text_is_its_sections_lists_and_code() -> None:
    text = """\
=======
Billing
=======

.. image:: logo.png
   :width: 3

.. toctree::
   deploying

Deploying
=========

Run ``make`` as :ref:`told here <there>` by `the owner <http://x>`_::

    make release

    make wait

- look at
  the logs

.. note:: Mind
   the ledger.

.. code-block:: sh
   :linenos:

   make rollback

.. a comment
   that goes on

Ports
-----

====  =======
8081  staging
====  =======

Naming
======
text
"""
    assert outline(list(items(text.split("\n")))) == [
        "1 Billing",
        "2 Deploying",
        "prose: Run `make` as told here by the owner:",
        "code:     make release\n\n    make wait",
        "item: - look at\n  the logs",
        "prose: note: Mind\n   the ledger.",
        "code:    make rollback",
        "3 Ports",
        "rows: ====  =======\n8081  staging\n====  =======",
        "2 Naming",
        "prose: text",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Above\n=====\n\n-----\n\nsingle line.\n\nNext\n====\n\nbody",
            ["1 Above", "prose: single line.", "1 Next", "prose: body"],
        ),
        (".. figure:: a.png\n   :width: 3\n\n   The caption.\n", ["prose:    The caption."]),
        (".. math:: E = mc^2\n", ["code: E = mc^2"]),
        (
            "See::\n\n   :port: 8081\n\n.. code::\n\n   :x: y\n",
            ["prose: See:", "code:    :port: 8081", "code:    :x: y"],
        ),
        (".. autoclass:: A\n   :members:\n\n   It says this.\n", ["prose:    It says this."]),
        ("..\n\n    An indented text.\n", ["prose:     An indented text."]),
        ("..\n   A remark.\n\nText", ["prose: Text"]),
    ],
)
def test_what_restructured_text_says_is_not_lost(text: str, found: list[str]) -> None:
    assert outline(list(items(text.split("\n")))) == found
