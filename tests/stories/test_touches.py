"""What an action on the live feed does not touch reads byte for byte as before.

Each recorded story is played once more, with a feed in words for everybody. After some actions, or after every
one, one of the people reads everything: what differs from what that person read before stands in the `touches` of
the actions since then. Each such word is withheld once, to see that it is missed.
"""

from collections import Counter
from collections.abc import Iterator
from uuid import UUID

import pytest

from domain.ids import AccountId, CampaignId
from domain.systems import SYSTEMS
from services.cli.demo.recording import recorded_names, recording_of
from services.cli.demo.story import Story, StoryAction
from services.reading.changed_reads import EVERYTHING
from tests.sampling import slow_but
from tests.stories.live_reader import LiveReader, in_story, untold
from tests.stories.memory_service import memory_service

READS_MIN = 30
SOMETIMES = 4
ASKED_SOMETIMES, ASKED_OFTEN = 3, 20
"""So often commands are asked for in a story where they are said to be as before, and where not."""
TURNS_RED = {"board", "sheet", "campaign", "statistics", "recap", "records", "commands"}
"""What is noticed in every story when it is withheld; Mobile Frame has no characters."""


def followed(name: str) -> Iterator[tuple[list[LiveReader], int]]:
    """The people of a story after each of its actions, and what is due then."""
    with memory_service(1) as client, client.portal() as portal:
        application = client.app.state.application
        story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
        readers, nth = list[LiveReader](), 0
        for happening in story.play():
            campaign_id = CampaignId(UUID(story.campaign_id))
            if not readers:
                people = {who: AccountId(UUID(story.bound[who])) for who in story.recording.title.people}
                readers = [
                    LiveReader(in_story(story, who), account, campaign_id, application, portal.call)
                    for who, account in people.items()
                ]
            if isinstance(happening, StoryAction):
                for reader in readers:
                    reader.listen()
                portal.call(application.handler.run_due, campaign_id, 0, [])
                nth += 1
            for reader in readers:
                reader.listen()
            yield readers, nth


OFTEN_IN_RELEASE = ["frame_state", "freefall", "mobile_frame", "overdrive"]
"""The longest stories: they are read after every action in a release, and else only now and then."""
SELDOM_IN_RELEASE = [name for name in SYSTEMS if name not in ("freefall", "mobile_frame")]
"""A story that is read after every action need not be read now and then; of the longest, two are."""


@pytest.mark.parametrize("name", slow_but(recorded_names(), "undo", in_release=SELDOM_IN_RELEASE))
def test_what_is_not_touched_reads_as_before_throughout_a_recorded_story(name):
    check(name, SOMETIMES if name in SYSTEMS else 1, ASKED_SOMETIMES)


@pytest.mark.parametrize("name", slow_but(recorded_names(), in_release=OFTEN_IN_RELEASE))
def test_what_is_not_touched_reads_as_before_after_every_action_of_a_story(name):
    check(name, 1, ASKED_OFTEN)


def check(name: str, every: int, ask_max: int) -> None:
    """Play a story; after every so many actions the next of its people reads everything.

    Commands are asked for the first times that they are touched, and the first that they are not.
    """
    told: Counter[str] = Counter()
    red: set[str] = set()
    reads = 0
    asked: Counter[bool] = Counter()

    def ask(touched: set[str]) -> bool:
        is_touched = bool(touched & {"commands", EVERYTHING})
        asked[is_touched] += 1
        return asked[is_touched] <= ask_max

    for readers, nth in followed(name):
        if nth % every:
            continue
        reader = readers[nth // every % len(readers)]
        differs, touched = reader.since(ask=ask)
        assert untold(differs, touched) == set(), (nth, reader.actions[-1]["summary"])
        told.update(touched)
        if EVERYTHING not in touched:  # negative control: one word withheld turns it red
            red |= {word.partition(":")[0] for word in differs if untold(differs, touched - {word})}
        reads += 1
    assert len({len(reader.actions) for reader in readers}) == 1, "somebody has not heard of everything"
    if name in SYSTEMS:  # the others are short, and mostly about undoing
        assert reads > READS_MIN
        answered = sum((reader.answered for reader in readers), Counter[bool]())
        assert answered[False] >= ask_max <= answered.total() / 2
        assert answered[True] > 0, "what commands are possible never changes"
        assert told[EVERYTHING] < reads / 2
        assert red >= TURNS_RED - ({"sheet", "records"} if name == "mobile_frame" else set())
