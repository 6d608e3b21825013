"""Which modules belong to which area, and which tests are the likeliest to notice a fault in it."""

from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]

QUICK = (
    "tests/domain",
    "tests/projections",
    "tests/stories",
    "tests/services",
    "tests/web",
    "tests/simulation",
    "tests/infra",
)
"""The wider tests: what `./run test` runs, without those that read the source instead of running it."""

READ_SOURCE = ("tests/simulation/test_guards.py", "tests/services/http/api/test_openapi_document.py")


class Area(Struct, frozen=True):
    """`modules` and `tests` are paths or globs below the root; a test's may be followed by options of pytest."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]

    def paths(self) -> list[str]:
        """The modules, by path."""
        found = {pattern: [*ROOT.glob(pattern)] for pattern in self.modules}
        assert all(found.values()), f"no module is called {[each for each in found if not found[each]]}"
        return sorted({str(path.relative_to(ROOT)) for paths in found.values() for path in paths})

    def likely(self) -> list[list[str]]:
        """Arguments of pytest, in groups of one room: those of the pure rooms come first, for they are quick."""
        found: dict[str, list[str]] = {room: [] for room in QUICK}
        for pattern in self.tests:
            path, *options = pattern.split()
            some = sorted(str(each.relative_to(ROOT)) for each in ROOT.glob(path))
            assert some, f"no test is called {path}"
            found["/".join(path.split("/")[:2])] += [*some, *options]
        return [arguments for arguments in found.values() if arguments]


def _system(name: str, story: str, *more: str) -> Area:
    vectors = " ".join(f"--vectors=tests/domain/vectors/{name}{part}.jsonl" for part in ("", "_more"))
    return Area(
        (f"domain/systems/{name}/*.py",),
        (
            f"tests/domain/test_vectors.py {vectors}",
            f"tests/domain/{name}",
            f"tests/stories/{story}",
            *more,
        ),
    )


AREAS = {
    "angst": _system("angst", "test_lamplighters.py", "tests/services/*/test_angst_h*.py"),
    "frame_state": _system("frame_state", "test_low_water.py"),
    "freefall": _system("freefall", "test_salt_and_storm.py", "tests/services/*/test_freefall_*.py"),
    "mobile_frame": _system(
        "mobile_frame", "test_lanterns.py", "tests/services/commands/test_fielded_characters.py"
    ),
    "overdrive": _system("overdrive", "test_saltgate.py", "tests/services/reading/test_overdrive_hidden.py"),
    "ledger": Area(
        (
            "domain/campaign/money/ledger.py",
            "domain/campaign/money/escrow.py",
            "domain/campaign/money/reconciliation.py",
            "projections/campaign/ledger.py",
            "services/reading/ledger_drift.py",
            "services/workers/ledger_audit_worker.py",
        ),
        (
            "tests/domain/campaign/test_ledger.py",
            "tests/projections/test_ledger.py",
            "tests/domain/campaign/test_pending_entries.py",
            "tests/domain/campaign/test_any_order_of_entries.py",
            "tests/stories/test_books_of_stories.py",
            "tests/services/workers/test_accounting.py",
            "tests/services/*/test_ledger_*.py",
        ),
    ),
    "timers": Area(
        (
            "domain/campaign/calendar/timers.py",
            "domain/campaign/due_commands.py",
            "domain/campaign/calendar/downtime.py",
            "domain/campaign/calendar/campaign_time.py",
            "domain/campaign/calendar_shapes.py",
            "services/campaign/campaign_timers.py",
            "services/campaign/rebuild_timers.py",
            "services/workers/timer_worker.py",
        ),
        (
            "tests/domain/campaign/test_timers.py",
            "tests/domain/campaign/test_downtime.py",
            "tests/domain/campaign/test_any_slicing_of_time.py",
            "tests/stories/test_downtime_month.py",
            "tests/services/campaign/test_campaign_timers.py",
            "tests/services/commands/test_timers_api.py",
            "tests/services/workers/test_firing.py",
            "tests/simulation/test_command_path.py",
        ),
    ),
    "undo": Area(
        (
            "domain/campaign/history/redecide.py",
            "domain/campaign/history/undo.py",
            "domain/campaign/play/undo_requests.py",
            "services/history/optimistic_attempts.py",
            "services/history/history_command.py",
            "services/history/undo.py",
        ),
        (
            "tests/domain/campaign/test_undo_rules.py",
            "tests/domain/campaign/test_undo_search.py",
            "tests/domain/test_undo_at_random.py",
            "tests/services/history/test_undo*.py",
            "tests/services/history/test_reveals_and_undo.py",
            "tests/simulation/test_holds.py",
            "tests/stories/test_undo_in_stories.py",
        ),
    ),
    "visibility": Area(
        (
            "domain/campaign/knowledge/audience_states.py",
            "domain/campaign/history/reveal.py",
            "domain/campaign/secrecy/audience.py",
            "services/campaign/audience_states.py",
            "services/workers/stored_folds.py",
            "services/reading/chronicle.py",
            "services/campaign/name_resolver.py",
            "services/history/reveal.py",
        ),
        (
            "tests/domain/campaign/test_knowledge.py",
            "tests/domain/campaign/test_visibility.py",
            "tests/services/history/test_reveals*.py",
            "tests/services/reading/test_hidden_ids.py",
            "tests/services/history/test_hidden_then_revealed.py",
            "tests/services/reading/test_hidden_things.py",
            "tests/services/history/test_undo_secrets.py",
            "tests/services/campaign/test_names.py",
            "tests/services/reading/test_history_pages.py",
            "tests/services/reading/test_ledger_api.py",
        ),
    ),
    "dice": Area(
        (
            "domain/campaign/dice/*.py",
            "domain/campaign/play/free_rolls.py",
            "domain/dice/*.py",
            "services/campaign/seed_store.py",
        ),
        (
            "tests/domain/dice",
            "tests/domain/campaign/test_dice_check.py",
            "tests/domain/campaign/test_free_rolls.py",
            "tests/services/commands/test_server_dice.py",
            "tests/services/history/test_dice_back.py",
            "tests/services/integrity/test_dice_words.py",
            "tests/services/integrity/test_dice_at_random.py",
            "tests/services/integrity/test_proof_routes.py",
        ),
    ),
    "rates": Area(
        ("infra/in_process/rate_counter.py", "infra/redis/rate_counter.py", "services/accounts/rate_limits.py"),
        (
            "tests/services/accounts/test_rates.py",
            "tests/services/http/api/test_limits.py",
            "tests/services/accounts/test_strangers.py",
        ),
    ),
    "verify": Area(
        (
            "domain/campaign/transfer/export_verifier.py",
            "domain/hash_chain.py",
            "infra/machine/head_store.py",
            "services/integrity/*.py",
            "services/workers/projection_fingerprint.py",
        ),
        (
            "tests/domain/campaign/test_export_check.py",
            "tests/services/workers/test_catch_up.py",
            "tests/services/campaign/test_verify.py",
            "tests/services/integrity/test_tampering.py",
            "tests/services/transfer/test_export.py",
            "tests/services/integrity/test_restored_backup.py",
            "tests/infra/test_head_store.py",
        ),
    ),
}
