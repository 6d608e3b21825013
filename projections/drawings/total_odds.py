"""How likely every total of dice is, drawn as SVG."""

from collections.abc import Mapping

from projections.drawings import canvas

HIGH = 72
"""How high the highest bar is."""
MARGIN = 6
SEEN_MIN = 1 / (2 * HIGH)
"""Of many totals, those at the ends that are less likely than this share of the likeliest one are not drawn."""
MANY = 60
SPAN_MAX = 1_000
"""Between totals that lie further apart, nothing could be seen."""
GAP_FROM = 4
"""Bars that are so wide are apart from each other."""
SMALL = 10


def totals(title: str, sentence: str, chances: Mapping[int, float], mean: float) -> str:
    """A bar for each total, and a dashed line at the mean; empty for one total, or where they lie far apart."""
    peak = max(chances.values())
    least = peak * SEEN_MIN if len(chances) > MANY else 0
    seen = [total for total, chance in chances.items() if chance >= least]
    low, high = min(seen), max(seen)
    if not low < high <= low + SPAN_MAX:
        return ""
    floor = float(MARGIN + HIGH)
    width = canvas.WIDTH / (high - low + 1)
    gap = 1.0 if width >= GAP_FROM else 0.0
    root = canvas.drawing(title, sentence, canvas.Box(0, 0, canvas.WIDTH, floor + 20))
    steps: list[str | float] = []
    for total, chance in chances.items():
        if low <= total <= high:
            left = (total - low) * width
            steps += ["M", left + gap / 2, floor, "V", floor - HIGH * chance / peak]
            steps += ["H", left + width - gap / 2, "V", floor, "Z"]
    canvas.path(root, "bar", *steps)
    canvas.path(root, "hair", "M", 0, floor, "H", canvas.WIDTH)
    canvas.path(root, "expected", "M", (mean - low + 0.5) * width, MARGIN / 2, "V", floor)
    canvas.text(root, 0, floor + 14, str(low), "muted", "start", SMALL)
    canvas.text(root, canvas.WIDTH, floor + 14, str(high), "muted", "end", SMALL)
    return canvas.markup(root)
