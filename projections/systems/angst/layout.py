"""How Angst's sheet is arranged."""

from typing import Final

from domain.campaign.calendar_shapes import DAY_SECONDS
from domain.systems.angst.tables import LADDER
from projections.layout import Layout, Shown, panel

HOUR_SECONDS: Final = 3_600
HOUR: Final = Shown("moment", unit_seconds=HOUR_SECONDS)
MODIFIER: Final = Shown("modifier")

SHEET: Final = Layout(
    vitals=(
        *("player", "kind", "status", "cores", "total_angst", "overwhelming"),
        *("story_points", "life_experience"),
    ),
    panels=(
        panel("Traits", "rocks", "sucks", "perks", "factoids"),
        panel("Angst", "angst", "stressors", "comforts"),
        panel("Relationships", "relationships"),
        panel("Going on", "usable", "purge_offers", "called_tests", "open_tests"),
    ),
    displays={
        "cores": Shown("ladder", of="effective", out_of="rated", beside=("spared", "heals"), steps=LADDER),
        "life_experience": Shown("meter", of="current", out_of="max"),
        "CoreView.heals": Shown("table", of="kind"),
        "HealingView.next_at_hour": HOUR,
        "HealingView.whole_at_hour": HOUR,
        "HealingView.next_at": Shown("instant"),
        "HealingView.whole_at": Shown("instant"),
        "ComfortView.last_day": Shown("moment", unit_seconds=DAY_SECONDS),
        "RelationshipView.modifier": MODIFIER,
        "OpenTestView.modifiers": Shown("table", of="source"),
        "CountedModifier.value": MODIFIER,
        "OpenTestView.core_die": Shown("die"),
    },
    hidden_fields=frozenset(
        # How many steps are lost, and of which kind, is said where they heal.
        {"character_id", "name", "CoreView.lost", "CalledTestView.test_id", "OpenTestView.test_id"}
    ),
)
