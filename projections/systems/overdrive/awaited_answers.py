"""What Overdrive's fights and story wait for: whose word, about whom, and commands that are accepted."""

from domain.sentences import Sentence, say
from domain.systems.overdrive import OVERDRIVE, story_choices
from domain.systems.overdrive import fight_choices as fight_waiting
from domain.systems.overdrive.answers import Awaited
from domain.systems.overdrive.rolls import HIDDEN
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from projections.awaited import Able, Name, Waiting, WaitingFor, as_sent
from projections.systems.overdrive import board_terms, story_board_terms


def fight_waits_for(state: OverdriveState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """What the fight waits for, what holds others up first: of every kind of command one that is accepted."""
    fight = _Entries(state, name, settings, able)
    found = fight_waiting.awaited(state, settings, able)
    return [fight.entry(each, say("the fight"), board_terms.in_words(state, each, name)) for each in found]


def story_waits_for(state: OverdriveState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """What is pending in the story, and after it what may be done and need not be."""
    told, found = story_board_terms.in_words, story_choices.awaited(state, settings, able)
    story = _Entries(state, name, settings, able)
    return [story.entry(each, say("the duel"), told(state, each, settings)) for each in found]


class _Entries:
    def __init__(self, state: OverdriveState, name: Name, settings: Settings, able: Able) -> None:
        self._state = state
        self._name = name
        self._waiting = Waiting(OVERDRIVE, state, name, settings, able)

    def entry(self, each: Awaited, scene: Sentence, told: Sentence) -> WaitingFor:
        """Of a word that is about nobody, `scene` is what it is about."""
        return self._waiting.entry(
            each.kind,
            each.subject,
            self._name(each.character) if each.character is not None else scene,
            each.waits_for if each.absent is None else each.absent,
            told,
            map(as_sent, each.answers),
            optional=each.optional,
            hidden=_is_hidden(self._state, each),
        )


def _is_hidden(state: OverdriveState, each: Awaited) -> bool:
    """Whether it is about something that not everybody knows of."""
    character = state.characters.get(each.character or "")
    key = next((key for key, roll in sorted(state.rolls.items()) if roll.roll_id == each.subject), "")
    return key.startswith(HIDDEN) or (character is not None and character.hidden)
