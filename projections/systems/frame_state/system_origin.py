"""Where Frame State comes from."""

from domain.sentences import say
from projections.system_origin import RuleSource

SOURCE = RuleSource(
    work="FRAME STATE RPG",
    author=say("Gerard van Silke"),
    source=say("The chapter “First Steps” of the playtest 1.2, August 2025."),
    places=("github.com/VanSilke/Frame-State", "github.com/VanSilke/Frame-State-Quartz"),
    licence="CC BY-SA 4.0",
    licence_url="https://creativecommons.org/licenses/by-sa/4.0/",
    meaning=say(
        "The author's notices put the text of the system under this licence. Attribution and share-alike: its "
        "host names the author, and shares what they adapt from the text under the same licence."
    ),
)
