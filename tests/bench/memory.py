"""What many open campaigns take: `FIELDLOG_HOT_BYTES` bounds it, however many there are.

The campaigns are opened in a process of their own (`python -m tests.bench.memory`), whose peak is compared:
that of a thousand with that of two hundred.
"""

import asyncio
import json
import os
import resource
import sys
from uuid import UUID, uuid4

import msgspec

from domain.campaign.command_request import ActRequest
from domain.ids import AccountId, CampaignId
from services.commands.submit import submit_command
from services.wiring.application import open_application
from tests.bench.campaigns import NOTE, a_script, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import ROOT
from tests.bench.stage import Stage, settings_for
from tests.engines import DatabaseUrls

HOT_BYTES = 64 * 2**20
"""A quarter of the default, so that a thousand campaigns of this size could not all stay."""
PILOTS = 40
MEBIBYTE = 2**20


class Order(msgspec.Struct, frozen=True):
    """What the process is told: which campaigns to open, and after how many to look at its memory."""

    owner_url: str
    service_url: str
    gm: UUID
    campaigns: list[UUID]
    look_after: tuple[int, int]


async def memory(stage: Stage) -> list[Row]:
    """Each campaign is acted in and read; both keep it folded."""
    few, many = stage.scale.opened
    row = Rounds(
        f"memory of {many:,} campaigns above {few:,}", "MiB", "FIELDLOG_HOT_BYTES", Goal(1.0, better="less")
    )
    script = a_script(AccountId(uuid4()), AccountId(uuid4()), pilots=PILOTS, stretches=1)
    campaigns = [CampaignId(uuid4()) for _ in range(many)]
    with stage.database() as urls:
        await write(urls, script, dict.fromkeys(campaigns))
        order = Order(urls.owner, urls.service, script.gm, [*campaigns], (few, many))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.bench.memory",
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")},
        )
        said, _ = await process.communicate(msgspec.json.encode(order))
        require(process.returncode == 0, "the process that opens campaigns failed")
        at_few, at_many = json.loads(said)
        row.add((at_many - at_few) / MEBIBYTE, HOT_BYTES / MEBIBYTE)
    return [row.row()]


async def _open(order: Order) -> list[int]:
    """Act in and read every campaign; the peak of memory at both looks."""
    looks = []
    urls = DatabaseUrls(order.owner_url, order.service_url)
    gm = AccountId(order.gm)
    async with open_application(settings_for(urls, hot_bytes=HOT_BYTES)) as application:
        for nth, campaign_id in enumerate(order.campaigns, 1):
            await submit_command(application, CampaignId(campaign_id), gm, ActRequest(command=NOTE))
            await application.campaigns.see(CampaignId(campaign_id), gm)
            if nth in order.look_after:
                looks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT)
    return looks


_UNIT = 1 if sys.platform == "darwin" else 1024
"""macOS counts bytes, Linux kibibytes."""

if __name__ == "__main__":
    wanted = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    sys.stdout.write(json.dumps(asyncio.run(_open(wanted))))
