"""A form with a file is read alike however its bytes come, and nothing that is none breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.http.screen.shared.file_form import FIELDS_BYTES_MAX, HEAD_MAX, PARTS_MAX, BrokenForm, FileForm

NAMED = b'Content-Disposition: form-data; name="%b"'
FILE = b'\r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\".gz"\r\nContent-Type: x/y\r\n\r\n'


def sent(content: bytes, boundary: bytes = b"b") -> bytes:
    parts = [
        b"\r\n" + NAMED % b"do" + b"\r\n\r\nlook",
        FILE + content,
        b"\r\n" + NAMED % b"name" + b"\r\n\r\nMara \xc3\xa9",
    ]
    return b"".join(b"--" + boundary + each + b"\r\n" for each in parts) + b"--" + boundary + b"--\r\n"


def read(body: bytes, pieces: int) -> tuple[bytes, dict[str, list[str]]]:
    kept = bytearray()
    form = FileForm("b", kept.extend)
    for start in range(0, len(body), pieces):
        form.feed(body[start : start + pieces])
    return bytes(kept), {**form.fields()}


@given(
    st.binary(max_size=200) | st.lists(st.sampled_from([b"\r\n", b"--", b"-", b"b", b"\r", b"x"])).map(b"".join)
)
def test_a_file_comes_whole_however_its_bytes_come(content):
    if b"\r\n--b" in b"\r\n" + content:
        return
    whole = read(sent(content), 10_000)
    assert whole == (content, {"do": ["look"], "name": ["Mara é"]})
    for pieces in (1, 7):
        assert read(sent(content), pieces) == whole


@given(st.binary(max_size=300))
def test_what_is_no_form_is_refused_and_breaks_nothing(body):
    with pytest.raises(BrokenForm):
        read(body, 10_000)
    cut = sent(b"abc")
    with pytest.raises(BrokenForm):
        read(cut[: len(body) % (len(cut) - 8)], 5)


@pytest.mark.parametrize(
    "body",
    [
        b"--b\r\n" + b"x" * (HEAD_MAX + 1),
        b"--b\r\n" + NAMED % b"a" + b"\r\n\r\n" + b"x" * (FIELDS_BYTES_MAX + 1),
        b"--b\r\n" + NAMED % b"a" + b"\r\n\r\n\xff\r\n--b--",
        b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--",
        b"--b\r\n\xff: x\r\n\r\nx\r\n--b--",
    ],
)
def test_parts_have_limits_and_names(body):
    with pytest.raises(BrokenForm):
        read(body, 1_000)


@pytest.mark.parametrize("boundary", ["", "x" * 201, "é"])
def test_boundaries_are_plain(boundary):
    with pytest.raises(BrokenForm):
        FileForm(boundary, lambda _: None)


def test_only_the_first_file_is_kept():
    body = b"--b" + FILE + b"one\r\n--b" + FILE + b"two\r\n--b--"
    assert read(body, 3) == (b"one", {})


@pytest.mark.parametrize("head", [NAMED % b"", NAMED % b"do", NAMED % b"file" + b'; filename="a"'])
def test_a_form_has_so_many_parts_at_most_however_small(head):
    part = b"--b\r\n" + head + b"\r\n\r\n\r\n"
    read(part * PARTS_MAX + b"--b--\r\n", 65_536)
    with pytest.raises(BrokenForm):
        FileForm("b", bytes).feed(part * (PARTS_MAX + 1) + b"--b")
