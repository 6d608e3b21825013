"""How people handle a page: with a mouse, on a phone, or by keyboard alone."""

from typing import Any

TABS_MAX = 600
TABS_AWAY = """targets => {
    const group = (radio) => [...radio.form.elements].filter((each) => each.name === radio.name);
    const isStop = (each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility()
        && (each.type !== "radio" || each === (group(each).find((other) => other.checked) ?? group(each)[0]));
    const reached = document.querySelector("dialog:modal") ?? document;
    const stops = [...reached.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
    const open = stops.filter((each) => isStop(each) || each === document.activeElement);
    return Math.max(0, ...targets.map((each) => open.indexOf(each))) - open.indexOf(document.activeElement);
}"""
"""About how many times Tab has to be pressed."""
IN_ITS_GROUP = "radio => document.getElementsByName(radio.name).length"
"""A form that is rearranged meanwhile takes its fields away."""


class Mouse:
    """Clicks and types."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, target: Any) -> None:
        """A button, a link, a summary."""
        target.click()

    def write(self, target: Any, text: str) -> None:
        """A text or number in place of what is in a field, which is then left."""
        target.fill(text)
        self.page.keyboard.press("Tab")

    def choose(self, target: Any, value: str) -> None:
        """An option of a select."""
        target.select_option(value)

    def mark(self, target: Any) -> None:
        """A radio button, or a box that is ticked or no longer."""
        target.click()


class Touch(Mouse):
    """Taps and types: nothing is hovered over."""

    def press(self, target: Any) -> None:
        target.tap()

    def mark(self, target: Any) -> None:
        target.tap()


class Keyboard(Mouse):
    """Nothing but keys: goes through a page by Tab until it is where it wants to be."""

    def press(self, target: Any) -> None:
        self._reach(target)
        self.page.keyboard.press("Enter")

    def write(self, target: Any, text: str) -> None:
        self._reach(target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Tab")

    def choose(self, target: Any, value: str) -> None:
        self._reach(target)
        self.page.keyboard.press("Home")
        places = "select => [...select.options].filter((each) => !each.disabled).map((each) => each.value)"
        for _ in range(target.evaluate(places).index(value)):
            self.page.keyboard.press("ArrowDown")
        assert target.input_value() == value, f"no key leads to {value}"

    def mark(self, target: Any) -> None:
        if target.get_attribute("type") == "checkbox":
            self._reach(target)
            self.page.keyboard.press("Space")
            return
        name = target.get_attribute("name")
        self._reach(self.page.locator(f'input[type=radio][name="{name}"]'))
        for _ in range(target.evaluate(IN_ITS_GROUP)):
            if not is_focused(target):
                self.page.keyboard.press("ArrowDown")
        if not target.is_checked():
            self.page.keyboard.press("Space")

    def _reach(self, target: Any) -> None:
        """Press Tab until the target has the focus; most of the way without looking where it is."""
        pressed = 0
        while pressed < TABS_MAX:
            if is_focused(target):
                return
            away = max(1, target.evaluate_all(TABS_AWAY) - 1)
            for _ in range(away):
                self.page.keyboard.press("Tab")
            pressed += away
        raise AssertionError(f"no Tab leads to {target}")


def is_focused(target: Any) -> bool:
    """Whether one of these elements has the focus."""
    found: bool = target.evaluate_all("all => all.includes(document.activeElement)")
    return found
