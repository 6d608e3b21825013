"""`/account/devices`: the browsers in which the reader is called while a table waits for them."""

from typing import Literal

import msgspec
from litestar import post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from services.accounts.push_call_devices import NewDevice, device_not_found
from services.http.screen.account.account import account_page_with
from services.http.screen.shared.forms import read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit
from services.reading.parameters import uuid_or


@post("/account/devices")
async def call_here(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Call the reader in this browser: a script has its subscription. A `renewed` one takes the former's place."""
    reader, form = visit.signed_in, await read_form(visit.request)
    devices, with_words = visit.application.devices, form.holds("with_words", "yes")
    if form.holds("renewed", "yes"):
        own = [own for own in await devices.store.of(reader.account_id) if own.device_id == reader.token_id]
        if not own:
            return see_other("/account#calls")  # it was stopped meanwhile
        with_words = own[0].with_words
    keys = {name: form.value(name) for name in ("p256dh", "auth")}
    entries = {"endpoint": form.value("endpoint"), "keys": keys, "with_words": with_words}
    try:
        request = msgspec.convert(entries, NewDevice)
    except msgspec.ValidationError:
        return see_other("/account#calls")  # without the script there is no subscription
    try:
        await devices.register(reader, request)
    except REFUSALS as refusal:
        form = form.with_fault("calls", told_refusal(refusal))
        return show_page(visit, await account_page_with(visit, form), REFUSED)
    return see_other("/account?changed=called#calls")


@post("/account/devices/{device:str}/{step:str}")
async def change(
    visit: NamedDependency[Visit], device: FromPath[str], step: FromPath[Literal["say-what", "say-less", "stop"]]
) -> Response[bytes]:
    """Stop the calls of a device, or choose whether they say what waits."""
    device_id = uuid_or(device, device_not_found())
    devices, account = visit.application.devices, visit.signed_in.account_id
    if step == "stop":
        await devices.stop(account, device_id)
    else:
        await devices.give_words(account, device_id, with_words=step == "say-what")
    return see_other(f"/account?changed={step}#calls")
