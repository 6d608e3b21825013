"""Every word of a room, to be looked at and translated."""

from collections.abc import Iterator

from domain.sentences import Sentence
from projections.titles import command_title, field_title, layouts_of, structs_of, value_title, vocabulary_of
from projections.vocabulary import group_word


def words_of(room: str) -> Iterator[Sentence]:
    """Every word of a room: a rule system, or the campaign itself."""
    yield from map(group_word, vocabulary_of(room).groups)
    for struct, fields in structs_of(room).items():
        for name, held in fields.items():
            yield field_title(struct, name)
            yield from (value_title(struct, name, word) for word in held.words)
        if isinstance(tag := struct.__struct_config__.tag, str) and tag.startswith(f"{room}."):
            yield command_title(tag)
    for layout in layouts_of(room).values():
        yield from (panel.title for panel in layout.panels)
