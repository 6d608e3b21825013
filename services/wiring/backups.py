"""Backups of a database with what lies beside it: made beside a running service, verified, and restored."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

from msgspec import Struct, structs

from domain.event_store_types import Head
from domain.ids import CampaignId
from infra.machine.backup_folder import FORMAT, BackupFolder, BackupUnusable, KeptFile, Manifest
from infra.machine.service_key import fingerprint, kept_key, put_key
from infra.postgres.copy_format import CopyDamaged
from infra.postgres.database_snapshot import Content, KeptTable, Snapshot, snapshot_of
from infra.postgres.log_row_copy import count_in, events_in, heads_in, texts_in
from infra.postgres.migrate import known_migrations, migrate
from infra.postgres.migration_failures import MigrationFailed
from infra.postgres.restore_target import (
    last_backup,
    note_backup,
    restore_target,
    seconds_since_archived,
)
from services.integrity.backup_check import BackupCheck, check_backup
from services.runtime.machine_user import machine_user
from services.settings import Settings
from services.version import VERSION
from services.wiring.keys import KEY_FILE, KeyUnusable, kept_heads, kept_key_path, service_key

__all__ = [
    "BackupUnusable",
    "Manifest",
    "RestoreReport",
    "finish_restore",
    "last_backup",
    "load_backup",
    "read_manifest",
    "seconds_since_archived",
    "write_backup",
]

HEADS = "heads.txt"
LOG_TABLES = ("events", "personal_text", "campaign_heads")

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and how much there is."""


def write_backup(settings: Settings, url: str, folder: Path, progress: Progress) -> tuple[Manifest, BackupCheck]:
    """Back up a database into a new folder, and verify what was written. It is a backup when this returns.

    Raises BackupUnusable, MigrationFailed (DatabaseLost) and KeyUnusable.
    """
    started, files = time.monotonic(), BackupFolder(folder)
    files.make()
    key = service_key(settings)
    # Before the snapshot: the heads kept by now are in the logs that it shows.
    shelf = kept_heads(settings)
    stored_heads = {campaign_id: head for campaign_id in shelf.campaigns() if (head := shelf.last(campaign_id))}
    begun_at = datetime.now(UTC)
    copies: list[KeptFile] = []
    with snapshot_of(url) as snapshot:
        facts = _Facts(snapshot.server_version(), snapshot.migrations(), snapshot.campaigns(), snapshot.events())
        tables = snapshot.tables()
        copies = [_write_table(files, snapshot, table, facts.events, progress) for table in tables]
    if (own_key := kept_key_path(settings)) is not None:
        copies.append(files.write(KEY_FILE, [own_key.read_bytes()]))
    copies.append(files.write(HEADS, _lines(stored_heads)))
    check = _verified(files, copies, stored_heads, facts.events, progress)
    manifest = Manifest(
        format=FORMAT,
        backup_id=uuid4(),
        fieldlog=VERSION,
        postgresql=facts.postgresql,
        begun_at=begun_at.isoformat(),
        seconds=round(time.monotonic() - started, 3),
        migrations=facts.migrations,
        key=fingerprint(key),
        campaigns=facts.campaigns,
        events=check.events,
        unsound=sorted(check.unsound),
        files=[_counted(files, copy, progress) for copy in copies],
    )
    files.finish(manifest)
    with suppress(MigrationFailed):  # a standby takes no notes
        note_backup(url, manifest.backup_id, manifest.begun_at, manifest.events, machine_user())
    return manifest, check


def _counted(files: BackupFolder, file: KeptFile, progress: Progress) -> KeptFile:
    if not file.columns:
        return file
    progress(f"counting the rows of {_table(file)}", 0, 0)
    with files.open(file.name) as content:
        return structs.replace(file, rows=count_in(content))


class _Facts(Struct, frozen=True):
    postgresql: str
    migrations: list[str]
    campaigns: int
    events: int


def _write_table(
    files: BackupFolder, snapshot: Snapshot, table: KeptTable, events: int, progress: Progress
) -> KeptFile:
    total = events if table.name == "events" else 0

    def counted() -> Iterator[Content]:
        for count, chunk in enumerate(snapshot.copied(table)):
            if count % 1000 == 0:
                progress(f"copying {table.name}", count, total)
            yield chunk

    return structs.replace(files.write(f"{table.name}.copy", counted()), columns=table.columns)


def _table(file: KeptFile) -> str:
    return file.name.removesuffix(".copy")


def _verified(
    files: BackupFolder,
    copies: list[KeptFile],
    stored_heads: dict[CampaignId, Head],
    events: int,
    progress: Progress,
) -> BackupCheck:
    """Read the log as it was written, and verify it. Raises BackupUnusable."""
    by_table = {_table(copy): copy for copy in copies}
    if missing := [name for name in LOG_TABLES if name not in by_table]:
        raise BackupUnusable(f"{files.folder} holds no rows of {missing[0]}: the backup is damaged.")
    log_file, texts_file, heads_file = (by_table[name] for name in LOG_TABLES)
    try:
        with files.open(log_file.name) as log, files.open(texts_file.name) as beside:
            with files.open(heads_file.name) as ends:
                heads = dict(heads_in(ends, heads_file.columns))
            rows, texts = events_in(log, log_file.columns), texts_in(beside, texts_file.columns)
            check = BackupCheck()
            for check in check_backup(rows, texts, heads, stored_heads):
                if check.events % 1000 == 0:
                    progress("verifying events", check.events, events)
    except CopyDamaged as damage:
        raise BackupUnusable(f"{files.folder} does not hold the log as it was copied: {damage}.") from None
    return check


def _lines(heads: dict[CampaignId, Head]) -> Iterator[bytes]:
    for campaign_id, head in sorted(heads.items()):
        yield f"{campaign_id} {head.seq} {head.hash.hex()}\n".encode()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup. Raises BackupUnusable for what is none, or of a newer version."""
    manifest = BackupFolder(folder).manifest()
    migrations = known_migrations()
    if newer := [name for name in manifest.migrations if name not in migrations]:
        raise BackupUnusable(
            f"{folder} was made by Fieldlog {manifest.fieldlog}, whose schema has {newer[0]}: this version "
            f"({VERSION}) is older. Upgrade it first."
        )
    return manifest


class RestoreReport(Struct, frozen=True):
    """The loaded campaigns: those that can be played, and those of them that were seen to have come further."""

    campaigns: list[CampaignId]
    behind: list[CampaignId]


def require_empty(owner_url: str, manifest: Manifest) -> None:
    """Raise BackupUnusable unless a database is empty, or holds an unfinished restore of this backup.

    Raises MigrationFailed (DatabaseLost), too.
    """
    with restore_target(owner_url) as target:
        state, migrations = target.state_of(manifest.backup_id), target.migrations()
        if state == "done":
            raise BackupUnusable("This backup is restored into this database already.")
        if state is not None:
            return
        if (filled := target.first_filled()) is not None:
            raise BackupUnusable(
                f"The database is not empty (there are rows in {filled}): a backup is restored into a new "
                "database or an empty FIELDLOG_HOME only, so that nothing is overwritten."
            )
        if newer := [name for name in migrations if name not in manifest.migrations]:
            raise BackupUnusable(
                f"The database is empty but has the schema of a newer version ({newer[0]}) than the backup: "
                "make it anew, without `fieldlog migrate`."
            )


def require_key_of(settings: Settings, manifest: Manifest, folder: Path) -> None:
    """Put the key of a backup where the service looks for it, unless it is there. Raises KeyUnusable."""
    path, key_file = kept_key_path(settings), folder / KEY_FILE
    missing = path if path is not None and not path.exists() else None
    if missing is not None and not key_file.exists():
        raise KeyUnusable(
            f"The backup holds no key to the dice, and {missing} is missing: put it there, or set "
            "FIELDLOG_DICE_KEY."
        )
    source = path if missing is None else key_file
    key = service_key(settings) if missing is None else kept_key(key_file)
    if fingerprint(key) != manifest.key:
        raise KeyUnusable(
            f"{source or 'FIELDLOG_DICE_KEY'} holds another key to the dice (fingerprint {fingerprint(key)}) than "
            f"the backup's ({manifest.key})."
        )
    if missing is not None:
        put_key(missing, key.hex())


def load_backup(
    settings: Settings, owner_url: str, service_url: str, folder: Path, progress: Progress
) -> RestoreReport:
    """Fill an empty database with a backup, and bring it up to date; `finish_restore` lets it be served.

    Every campaign needs new dice first. Deleted ones and those with a bad log are marked as if they had come
    further, so that they wait for `accept-restore`. Can be repeated where it was killed. Raises BackupUnusable,
    MigrationFailed (DatabaseLost) and KeyUnusable.
    """
    files, manifest = BackupFolder(folder), read_manifest(folder)
    require_empty(owner_url, manifest)
    for nth, file in enumerate(manifest.files):
        progress(f"reading {file.name}", nth, len(manifest.files))
        files.require_intact(file)
    heads = _read_heads(files, manifest)
    _require_as_verified(files, manifest, heads, progress)
    require_key_of(settings, manifest, folder)
    migrate(owner_url, service_url, only=manifest.migrations)
    tables = [(KeptTable(_table(file), file.columns), file.rows or 0) for file in manifest.files if file.columns]
    with restore_target(owner_url) as target:
        target.begin(manifest.backup_id)
        if target.state_of(manifest.backup_id) == "begun":
            loading = _LoadingProgress(progress, len(tables))
            target.load(
                manifest.backup_id, tables, lambda name: loading.follow(name, files.chunks(f"{name}.copy"))
            )
    migrate(owner_url, service_url)
    shelf = kept_heads(settings)
    shelf.keep(heads)
    campaigns, behind = [], []
    with restore_target(owner_url) as target:
        for campaign_id, head, is_deleted in target.heads():
            if is_deleted or campaign_id in manifest.unsound:
                shelf.keep({campaign_id: Head(head.seq + 1, bytes(32), head.recorded_at)})
                continue
            campaigns.append(campaign_id)
            stored_head = shelf.last(campaign_id)
            if stored_head is not None and stored_head.seq > head.seq:
                behind.append(campaign_id)
    return RestoreReport(campaigns, behind)


def finish_restore(owner_url: str, folder: Path) -> Manifest:
    """Let a restored database be served; returns what was restored. Raises MigrationFailed."""
    manifest = read_manifest(folder)
    with restore_target(owner_url) as target:
        target.finish(manifest.backup_id, machine_user())
    return manifest


class _LoadingProgress:
    """Tells of each table as it is loaded."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._count = progress, total, 0

    def follow(self, name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._progress(f"loading {name}", self._count, self._total)
            yield chunk
        self._count += 1


def _require_as_verified(
    files: BackupFolder, manifest: Manifest, stored_heads: dict[CampaignId, Head], progress: Progress
) -> None:
    """Raise BackupUnusable where a campaign is not as it was written that was when the backup was made."""
    check = _verified(files, manifest.files, stored_heads, manifest.events, progress)
    if changed_campaigns := sorted(check.unsound.keys() - set(manifest.unsound)):
        first, others = changed_campaigns[0], len(changed_campaigns) - 1
        raise BackupUnusable(
            f"{files.folder} was changed after it was made: campaign {first} is not as it was written from seq "
            f"{check.unsound[first]} on{f', nor are {others:,} other campaigns' if others else ''}."
        )


def _read_heads(files: BackupFolder, manifest: Manifest) -> dict[CampaignId, Head]:
    """The kept heads in a backup, as of its moment. Raises BackupUnusable."""
    try:
        moment = int(datetime.fromisoformat(manifest.begun_at).timestamp() * 1_000_000)
        lines = b"".join(files.chunks(HEADS)).decode("ascii").splitlines()
        rows = (line.split() for line in lines)
        return {
            CampaignId(UUID(name)): Head(int(seq), bytes.fromhex(digest), moment) for name, seq, digest in rows
        }
    except ValueError:
        raise BackupUnusable(f"{files.folder / HEADS} holds no heads: the backup is damaged.") from None
