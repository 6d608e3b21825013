"""The guards of the command path, each with the change of its source that removes it and nothing else."""

import inspect
from importlib import import_module
from textwrap import dedent
from typing import Any

import pytest
from msgspec import Struct

COMMANDS = "services.commands"
DECIDER = f"{COMMANDS}.batch_decider"
GROUPS = f"{COMMANDS}.group_commit"
LOADER = "services.campaign.campaign_loader"
LOADED = "services.campaign.loaded_campaign"


class Guard(Struct, frozen=True):
    """A place in the source: `there` is what stands in it, and `instead` stands there without the guard.

    `name` is a function, method or constant of a module; `there` is empty where a constant has another value.
    """

    module: str
    name: str
    there: str
    instead: Any

    def remove(self, patch: pytest.MonkeyPatch) -> None:
        """Have the service run without it. Raises AssertionError where it does not stand in the source so."""
        owner: Any = import_module(self.module)
        *path, name = self.name.split(".")
        for each in path:
            owner = getattr(owner, each)
        if not self.there:
            patch.setattr(owner, name, self.instead)
            return
        whole = getattr(owner, name)
        function: Any = whole.fget if isinstance(whole, property) else whole
        source = dedent(inspect.getsource(function))
        assert source.count(self.there) == 1, (
            f"{self.name}: {self.there!r} stands there {source.count(self.there)} times"
        )
        made: dict[str, Any] = {}
        exec(compile(source.replace(self.there, self.instead), self.name, "exec"), function.__globals__, made)  # noqa: S102
        patch.setattr(owner, name, made[name])


MEMORY = "tests.doubles.event_store"

GUARDS = {
    "the hash of the head is compared": Guard(
        MEMORY,
        "MemoryEventStore._verdict",
        "(head.seq, head.hash) != (batch.expected_seq, batch.expected_hash)",
        "head.seq != batch.expected_seq",
    ),
    "the seq of the head is compared": Guard(
        MEMORY,
        "MemoryEventStore._verdict",
        "(head.seq, head.hash) != (batch.expected_seq, batch.expected_hash)",
        "False",
    ),
    "keys are compared": Guard(MEMORY, "MemoryEventStore._verdict", "if key in self._answers", "if not key"),
    "an answer is for members": Guard(
        MEMORY, "MemoryEventStore.answers_to", "and campaign_id in self._members.get(account_id, {})", "and True"
    ),
    "how late a decision is counts from the decision": Guard(
        MEMORY, "MemoryEventStore._verdict", "(batch.decided_at or first)", "first"
    ),
    "newcomers wait for what is decided again": Guard(
        DECIDER, "BatchDecider.decide", "queue.retried or CAMPAIGN_MAX", "CAMPAIGN_MAX"
    ),
    "known keys are remembered": Guard(DECIDER, "BatchDecider._decide", "own_key in loaded.recent_keys", "False"),
    "copies join the first": Guard(DECIDER, "BatchDecider._decide", "own_key in batch.keyed", "False"),
    "orphans are noticed": Guard(
        DECIDER,
        "BatchDecider._run_due",
        "batch.has_orphans or any(key not in due_commands for key in request.keys)",
        "False",
    ),
    "what is due has only a slice of time": Guard(DECIDER, "DUE_SECONDS", "", float("inf")),
    "an append has only so much that is due": Guard("services.commands.run_due", "FIRED_AT_ONCE_MAX", "", 10**9),
    "refusals are confirmed": Guard(
        f"{COMMANDS}.append_batch",
        "AppendBatch.asks_the_log",
        "self.actions or self.unwritten or self.due_runs",
        "self.actions or self.due_runs",
    ),
    "what is decided again comes first": Guard(
        GROUPS,
        "GroupCommit._decide_again",
        "queue.put_first(unanswered)",
        "for each in unanswered:\n        queue.add(each)",
    ),
    "what is not committed is dropped": Guard(
        LOADED,
        "LoadedCampaign.fold_again",
        "state = decode_state(self._snapshot)",
        "state, known, self._known_states = self.state, self.knowledge, {}",
    ),
    "what was decided in vain is not folded on": Guard(
        LOADED,
        "LoadedCampaign.fold_on",
        "if rewrites or self.seq != self.head.seq:",
        "if rewrites:",
    ),
    "an undo in a tail reaches back to the snapshot only": Guard(
        LOADED,
        "LoadedCampaign.can_fold",
        "change.first_seq > self._snapshot_at",
        "change is not None",
    ),
    "an undo in a tail is folded without what it undoes": Guard(
        LOADED, "LoadedCampaign.fold_on", "undone_by(rewrites)", "()"
    ),
    "the kept head is asked for before the log": Guard(
        "services.campaign.rollback_detector",
        "RollbackDetector.require_whole",
        "await self.is_whole(campaign_id, stored_head, head)",
        "await self.is_whole(campaign_id, self.stored_head(campaign_id), head)",
    ),
    "only committed heads are kept": Guard(
        GROUPS,
        "GroupCommit._append",
        "if not batches:",
        "for each in batches:\n        if each.events:\n            last = each.events[-1]\n            "
        "head = type(self._cache.get(each.campaign_id).head)(last.seq, last.hash, last.recorded_at)\n            "
        "self._detector.confirm(each.campaign_id, head)\n    if not batches:",
    ),
    "reveals and erasures are loaded anew": Guard(LOADED, "RELOADING_KINDS", "", frozenset()),
    "hidden history is loaded anew": Guard(
        GROUPS, "GroupCommit._keep", "if batch.outdates_memory:", "if batch.erasure is not None:"
    ),
    "what was erased is loaded anew": Guard(
        GROUPS,
        "GroupCommit._keep",
        "if batch.outdates_memory:",
        "if batch.outdates_memory and batch.erasure is None:",
    ),
    "nothing is due behind hidden history": Guard(
        DECIDER, "BatchDecider._decide", "NOTHING_DUE if batch.outdates_memory else self", "self"
    ),
    "nothing follows history in its batch": Guard(
        DECIDER,
        "BatchDecider.decide",
        "(batch.more_due or batch.is_history or batch.outdates_memory)",
        "batch.more_due",
    ),
    "history begins its batch": Guard(
        DECIDER, "BatchDecider.decide", "queue.waiting[0].history is not None or ", ""
    ),
    "history begins its group": Guard(
        GROUPS, "GroupCommit._decide_group", "if is_history and group:", "if False:"
    ),
    "history ends its group": Guard(GROUPS, "GroupCommit._decide_group", "if is_history:", "if False:"),
    "history becomes the snapshot": Guard(GROUPS, "GroupCommit._keep", "if batch.is_history:", "if False:"),
    "stored timers are read again": Guard(
        LOADER,
        "CampaignLoader._fold_tail",
        "loaded.schedule.stored_as(await self._timers.of(campaign_id))",
        "await self._timers.of(campaign_id)",
    ),
    "seeds are compared by what they are committed to": Guard(
        LOADER,
        "_are_open",
        "loaded.seeds.commitment.hex() == epochs[-1].commitment",
        "loaded.seeds.epoch == epochs[-1].epoch",
    ),
    "the caught-up log is the same log": Guard(
        LOADER, "CampaignLoader._fold_tail", "not rows or rows[0].hash != loaded.head.hash", "not rows"
    ),
    "orphans are removed": Guard(GROUPS, "GroupCommit._committed", "if batch.has_orphans:", "if False:"),
    "the rest of what is due follows": Guard(GROUPS, "GroupCommit._end_due_runs", "queue.put_first(rest)", "pass"),
    "those whose time is up are answered": Guard(
        f"{COMMANDS}.command_handler", "CommandHandler._look_later", "if self._next_look is None", "if False"
    ),
    "there is a third writer": Guard(GROUPS, "WRITERS", "", 2),
    "a group loses patience beside one": Guard(GROUPS, "PATIENCE_SECONDS", "", (0.0, 1e9, 0.05)),
    "a group loses patience beside two": Guard(GROUPS, "PATIENCE_SECONDS", "", (0.0, 0.004, 1e9)),
    "duplicates are remembered": Guard(
        GROUPS, "GroupCommit._decide_again", "batch.loaded.remember(command.own_key)", "pass"
    ),
    "what is missing may be known": Guard(
        f"{COMMANDS}.reply_sender",
        "_is_stranger",
        'reply.code == "campaign_not_found"',
        "type(reply).__name__ == 'Missing'",
    ),
    "what is due comes before a command": Guard(
        DECIDER,
        "BatchDecider.decide",
        "elif self._run_due_now(batch, at).more:\n            queue.put_first([batch.commands.pop()])\n        ",
        "",
    ),
    "a batch ends where more is due": Guard(
        DECIDER,
        "BatchDecider.decide",
        "(batch.more_due or batch.is_history or batch.outdates_memory)",
        "(batch.is_history or batch.outdates_memory)",
    ),
    "what is in use stays in memory": Guard(
        f"{COMMANDS}.command_handler",
        "CommandHandler.__init__",
        "cache.is_pinned = self._queues.__contains__",
        "pass",
    ),
    "what failed is forgotten": Guard(GROUPS, "GroupCommit._drop", "self._cache.evict(queue.campaign_id)", "pass"),
    "who loses races waits longer": Guard(GROUPS, "GroupCommit.catch_up", "if queue.conflicts > 1:", "if False:"),
    "a clock that is off is set": Guard(GROUPS, "GroupCommit._decide_again", "self._clock.invalidate()", "pass"),
    "a batch has only so many commands": Guard(DECIDER, "CAMPAIGN_MAX", "", 10**9),
    "a group has only so much time": Guard(GROUPS, "GROUP_SECONDS", "", float("inf")),
    "all audiences are read at one head": Guard(
        LOADER, "audience_states", "latest is None or latest[0] != head", "latest is None"
    ),
}
