"""What a terminal shows of whole runs, against golden files; `make docs` rewrites them."""

from __future__ import annotations

import re

import pytest

from tests.cli.scenes import SCENES
from tests.cli.screen import GOLDEN, WIDTHS, golden_text, piped, screen, written
from thinkagent.cli.render.ink import cells

SGR = re.compile(r"\x1b\[\d*m")
ESCAPE = re.compile(r"\x1b\[\d*[mK]")
NAMES = list(SCENES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_is_not_stale(name):
    shown = (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert shown == golden_text(name), "look at what differs; `make docs` takes it over"


def test_every_golden_file_has_its_scene():
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("width", [*WIDTHS, 46])
@pytest.mark.parametrize("name", NAMES)
def test_no_row_is_wider_than_the_terminal(name, width):
    rows = re.split(r"\r\x1b\[K|\n", written(SCENES[name], width))
    assert [row for row in rows if cells(ESCAPE.sub("", row)) > width] == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_colour_adds_nothing_but_colour(name, width):
    coloured = written(SCENES[name], width)
    assert SGR.search(coloured)
    assert SGR.sub("", screen(coloured)) == screen(written(SCENES[name], width, NO_COLOR="1"))


@pytest.mark.parametrize("name", NAMES)
def test_a_width_breaks_lines_and_cuts_nothing(name):
    """The same words at each width; only what passes is cut to it."""
    texts = ["".join(screen(written(SCENES[name], width, NO_COLOR="1")).split()) for width in WIDTHS]
    assert len(set(texts)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_nothing_moves_in_a_pipe_or_on_a_dumb_terminal(name):
    out, err = piped(SCENES[name])
    dumb = written(SCENES[name], 80, TERM="dumb")
    for text in (out, err, dumb):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)
