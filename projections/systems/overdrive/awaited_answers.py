"""Everything Overdrive's fights and story wait for: the member to choose, the character, and accepted commands."""

from domain.sentences import Sentence, say
from domain.systems.overdrive import OVERDRIVE, story_choices
from domain.systems.overdrive.fight_choices import Fight
from domain.systems.overdrive.pending_answers import PendingAnswer, Trial
from domain.systems.overdrive.rolls import HIDDEN
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState
from projections.awaited_answers import Able, Name, Waiting, WaitingFor, as_sent
from projections.systems.overdrive import board_sentences, story_board_sentences


def fight_waits_for(state: OverdriveState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """Everything the fight waits for, blocking choices first; of every kind of command one that is accepted."""
    if state.combat is None:
        return []
    trial = Fight(state, state.combat, settings, able)
    fight, describe = _Entries(trial, name, able), board_sentences.in_words
    return [fight.entry(choice, say("the fight"), describe(state, choice, name)) for choice in trial.choices()]


def story_waits_for(state: OverdriveState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """The pending choices of the story, then the optional ones."""
    trial = Trial(state, settings, able)
    story, describe = _Entries(trial, name, able), story_board_sentences.in_words
    return [
        story.entry(choice, say("the duel"), describe(state, choice, settings))
        for choice in story_choices.choices_of(trial)
    ]


class _Entries:
    def __init__(self, trial: Trial, name: Name, able: Able) -> None:
        self._state = trial.state
        self._name = name
        self._waiting = Waiting(OVERDRIVE, trial.state, name, trial.settings, able, trial)

    def entry(self, choice: PendingAnswer, scene: Sentence, sentence: Sentence) -> WaitingFor:
        """One entry. `scene` is the subject of a choice that is about no character."""
        return self._waiting.entry(
            choice.kind,
            choice.subject,
            self._name(choice.character) if choice.character is not None else scene,
            choice.waits_for if choice.absent is None else choice.absent,
            sentence,
            map(as_sent, choice.answers),
            optional=choice.optional,
            is_hidden=_is_hidden(self._state, choice),
        )


def _is_hidden(state: OverdriveState, choice: PendingAnswer) -> bool:
    """Whether it is about something that some members do not know."""
    character = state.characters.get(choice.character or "")
    key = next((key for key, roll in sorted(state.rolls.items()) if roll.roll_id == choice.subject), "")
    return key.startswith(HIDDEN) or (character is not None and character.hidden)
