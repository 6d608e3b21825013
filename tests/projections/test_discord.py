"""Messages for Discord: within its limits, and names that stay names."""

from itertools import pairwise

import pytest

from domain.sentences import change_names, in_a_row, say
from projections.discord import (
    DESCRIPTION_CHARACTERS_MAX,
    DiscordSection,
    Message,
    escape_name,
    line_messages,
    section_messages,
)


def size_of(embed: Message) -> int:
    fields = embed.get("fields", [])
    return (
        len(embed["title"])
        + len(embed.get("description", ""))
        + sum(len(field["name"]) + len(field["value"]) for field in fields)
    )


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("Wren", "Wren"),
        ("1. Wren", r"1\. Wren"),
        ("# Wren", r"\# Wren"),
        ("-# Wren", r"\-\# Wren"),
        ("> Wren", r"\> Wren"),
        ("- Wren", r"\- Wren"),
        ("*Wren* __x__ ~~y~~ ||z|| `c`", r"\*Wren\* \_\_x\_\_ \~\~y\~\~ \|\|z\|\| \`c\`"),
        ("[Wren](https://x.y)", r"\[Wren\]\(https\://x.y\)"),
        ("<@123> @here :fire:", r"\<\@123\> \@here \:fire\:"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_a_name_is_shown_as_it_is_whatever_is_in_it(name, escaped):
    assert escape_name(name) == escaped


def test_names_are_escaped_and_the_sentence_is_not():
    sentence = say("{who} rolls 1. [d6]: {others}", who="*Wren*", others=in_a_row(["#1", say("- {x}", x="-Bo")]))
    assert str(change_names(sentence, escape_name)) == r"\*Wren\* rolls 1. [d6]: \#1, - \-Bo"


def test_lines_fill_as_few_messages_as_hold_them_in_their_order():
    lines = [f"• {nth} " + "rain " * (nth % 90) for nth in range(200)]
    messages = line_messages(lines)
    assert all(len(message["content"]) <= 2_000 for message in messages)
    assert "\n".join(message["content"] for message in messages).split("\n") == [line.strip() for line in lines]
    assert all(
        len(one["content"]) + len(two["content"].split("\n")[0]) >= 2_000 for one, two in pairwise(messages)
    )
    assert all(message["allowed_mentions"] == {"parse": []} for message in messages)


@pytest.mark.parametrize("line", ["x" * 5_000, "rain " * 1_000, "\\*" * 2_500, "x" + "\\*" * 2_500])
def test_a_line_that_is_too_long_is_cut_where_nothing_is_parted(line):
    contents = [message["content"] for message in line_messages([line])]
    assert all(0 < len(content) <= 2_000 for content in contents)
    assert "".join(contents).replace(" ", "") == line.replace(" ", "")
    assert not any((len(content) - len(content.rstrip("\\"))) % 2 for content in contents)


def test_a_long_recap_is_shared_out_to_embeds_within_the_limits():
    sections = [DiscordSection(f"Scene {nth}", ["It rains. " * 30] * (nth % 5 + 1)) for nth in range(60)]
    messages = section_messages("Play session 1: " + "The dam " * 60, ["A highlight. " * 40] * 12, sections)
    embeds = [embed for message in messages for embed in message["embeds"]]
    assert [len(message["embeds"]) for message in messages] == [1] * len(messages)
    assert all(size_of(embed) <= 6_000 and len(embed.get("fields", [])) <= 25 for embed in embeds)
    assert all(len(embed.get("description", "")) <= DESCRIPTION_CHARACTERS_MAX for embed in embeds)
    fields = [field for embed in embeds for field in embed.get("fields", [])]
    assert all(len(field["name"]) <= 256 and 0 < len(field["value"]) <= 1_024 for field in fields)
    assert list(dict.fromkeys(field["name"] for field in fields)) == [section.title for section in sections]
    told = sum(field["value"].count("It rains.") for field in fields)
    assert told == sum(30 * len(section.lines) for section in sections)
    assert sum(embed.get("description", "").count("A highlight.") for embed in embeds) == 480


def test_a_short_text_is_one_message_without_empty_parts():
    assert section_messages("A scene", [], []) == [
        {"embeds": [{"title": "A scene"}], "allowed_mentions": {"parse": []}}
    ]
    assert line_messages([]) == []
