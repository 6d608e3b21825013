"""Ids from the machine's entropy."""

from functools import reduce
from operator import and_, or_
from uuid import RFC_4122, UUID

from infra.entropy import MachineEntropy

ENTROPY = MachineEntropy()


def test_a_new_id_is_a_uuid_of_version_4():
    new = ENTROPY.new_id()
    assert (new.version, new.variant) == (4, RFC_4122)
    assert UUID(str(new)) == new


def test_every_bit_of_new_ids_is_random_but_those_that_name_their_version():
    ids = [ENTROPY.new_id().int for _ in range(1_000)]
    named = 0xF000 << 64 | 0xC000 << 48
    assert reduce(or_, ids) | named == 2**128 - 1
    assert reduce(and_, ids) & ~named == 0
