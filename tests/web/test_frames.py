"""A crowded table stays quick: what is dragged is drawn anew, and nothing else; zooming draws nothing anew."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.crowd import FIGURES, MOVED, drag, open_crowd, zoom
from tests.web.visit import Visitor

# Which nodes of the table change from now on, by what they are.
CHANGES = """
() => {
  const changed = new Map()
  const seen = new MutationObserver(found => {
    for (const one of found)
      for (const node of [one.target, ...one.addedNodes]) changed.set(node, (changed.get(node) ?? 0) + 1)
  })
  const table = document.querySelector('svg.table')
  seen.observe(table, { attributes: true, childList: true, subtree: true, characterData: true })
  window.changes = () => {
    seen.disconnect()
    const kinds = {}
    for (const node of changed.keys()) {
      const element = node.nodeType === 1 ? node : node.parentElement
      const kind = element?.closest('.figure.held') ? 'held' : element?.closest('.figure') ? 'figure'
        : element?.closest('.ground') ? 'ground' : element === table ? 'table' : 'other'
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }
    return kinds
  }
}
"""


@pytest.fixture
def crowd(visitor: Visitor) -> Any:
    open_crowd(visitor.server, visitor.page)
    visitor.page.wait_for_timeout(300)
    return visitor.page


def test_a_drag_draws_only_what_is_dragged(crowd: Any) -> None:
    assert len(crowd.query_selector_all(".figure")) == FIGURES
    crowd.evaluate(CHANGES)
    drag(crowd, 12)
    crowd.wait_for_timeout(100)

    changed = crowd.evaluate("window.changes()")

    assert changed["held"] >= MOVED
    assert changed.get("figure", 0) == 0
    assert changed.get("ground", 0) == 0
    # Ghosts come and go with the drag, the hull, its plate and the ruler follow it.
    assert changed["other"] <= 3 * MOVED + 15


def test_zooming_and_panning_only_stretch_what_is_drawn(crowd: Any) -> None:
    view = crowd.get_attribute("svg.table", "viewBox")
    crowd.evaluate(CHANGES)
    zoom(crowd, 8)
    # Not even the way it is drawn changes before it stands still.
    if crowd.get_attribute("svg.table", "viewBox") == view:
        assert "scale" in crowd.get_attribute("svg.table", "style")
    crowd.wait_for_function("old => document.querySelector('svg.table').getAttribute('viewBox') !== old", arg=view)

    changed = crowd.evaluate("window.changes()")

    assert changed["table"] == 1
    assert changed.get("figure", 0) + changed.get("held", 0) + changed.get("ground", 0) == 0
