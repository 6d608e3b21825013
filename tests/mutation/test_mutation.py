"""Mutants are found, put in and noticed: the instrument itself, on a tree of two functions (control)."""

from pathlib import Path

import pytest

from tests.mutation.areas import AREAS, ROOT
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import Broken, Run, Tree
from tests.mutation.verdicts import EQUIVALENT, Trial, figures, sample

COUNTING = """
LIMIT = 3


def is_full(count: int) -> bool:
    return count >= LIMIT


def is_empty(count: int) -> bool:
    return count == 0
"""

TESTED = """
from counting import is_empty, is_full


def test_three_are_full():
    assert (is_full(2), is_full(3)) == (False, True)
    is_empty(1)  # whatever it says
"""

COUNTING_UP = """
def is_full(count):
    while count < 3:
        count += 1
    return True
"""

TESTED_SLOWLY = """
from counting import is_full


def test_three_are_full():
    assert is_full(0)
"""


def a_tree(folder: Path, counting: str, tested: str) -> Tree:
    source = folder / "source"
    source.mkdir()
    (source / "counting.py").write_text(counting)
    (source / "test_counting.py").write_text(tested)
    return Tree(source, folder, options=())


def test_a_mutant_that_a_test_notices_is_killed_and_one_that_none_does_survives(tmp_path):
    tree = a_tree(tmp_path, COUNTING, TESTED)
    noticed, unnoticed = (
        next(each for each in mutants_of("counting.py", COUNTING) if each.instead == instead)
        for instead in ("(count > LIMIT)", "(count != 0)")
    )
    run = tree.try_out(noticed, ["test_counting.py"])
    assert (run.outcome, run.by) == ("killed", "test_counting.py::test_three_are_full")
    assert tree.try_out(unnoticed, ["test_counting.py"]).outcome == "survived"
    assert (tree.root / "counting.py").read_text() == COUNTING, "no mutant is left"


def test_tests_that_fail_without_a_mutant_tell_nothing(tmp_path):
    tree = a_tree(tmp_path, COUNTING, TESTED.replace("True", "False"))
    with pytest.raises(Broken, match="test_three_are_full fails without a mutant"):
        tree.try_out(mutants_of("counting.py", COUNTING)[0], ["test_counting.py"])


def test_where_pytest_itself_cannot_run_no_mutant_counts_as_killed(tmp_path):
    tree = a_tree(tmp_path, COUNTING, TESTED)
    tree.measure(["test_counting.py"])
    (tree.root / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    with pytest.raises(Broken, match="no test ran"):
        tree.try_out(mutants_of("counting.py", COUNTING)[0], ["test_counting.py"])


@pytest.mark.slow
def test_a_mutant_that_hangs_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.mutation.trial.SECONDS_MIN", 3.0)
    tree = a_tree(tmp_path, COUNTING_UP, TESTED_SLOWLY)
    [stuck] = [each for each in mutants_of("counting.py", COUNTING_UP) if each.instead == "pass"]
    assert tree.try_out(stuck, ["test_counting.py"]).outcome == "timeout"


@pytest.mark.parametrize(
    ("source", "instead"),
    [
        ("x = a < b", ["(a <= b)"]),
        ("x = a and b", ["(a or b)", "a", "b"]),
        ("x = a or b or c", ["(a and b and c)", "(b or c)", "(a or c)", "(a or b)"]),
        ("x = not a", ["a"]),
        ("x = a if b else c", ["a", "c"]),
        ("x = a + 2", ["(a - 2)", "3"]),
        ("x = min(a)", ["max"]),
        ("x = [a, *b]", ["[*b]", "[a]"]),
        ("x = f(a, b=True)", ["f(a)", "False"]),
        ("x = [each for each in a if each]", ["True"]),
        ("x.y = a", ["pass"]),
        ("check(a)", ["pass"]),
        ("if a: raise E", ["(not a)", "pass"]),
        ("for a in b: continue", ["break"]),
        ('raise Rejection("code", say("{n} of 3", n=n), rule="X-1")', ["pass"]),
        ("log_line.error('x', y=1)", []),
        ("assert a < b", []),
        ('"""Up to 3."""', []),
        ("x: int | None = None", []),
        ("X = int | None", []),
        ("__all__ = ['f']", []),
        ("SIDES = 6", ["7"]),
        ("BYTES_MAX = 4_096", []),
        ("SECONDS = 0.5", []),
        ("def f(a: int = 3) -> list[int]: return []", ["4"]),
    ],
)
def test_these_are_the_mutants_of_a_line(source, instead):
    assert sorted(each.instead for each in mutants_of("x.py", source)) == sorted(instead)


def test_a_mutant_changes_its_own_place_and_nothing_else():
    source = "# ein „Zitat“\nx = f(  a,\n    b < c)  # why\n"
    [mutant] = mutants_of("x.py", source)
    assert mutant.applied(source) == "# ein „Zitat“\nx = f(  a,\n    (b <= c))  # why\n"
    assert mutant.diff(source) == "-    b < c)  # why\n+    (b <= c))  # why"


def test_a_key_holds_when_lines_move_and_tells_equal_changes_apart():
    source = "def f():\n    return a < b, a < b\n"
    keys = [each.key for each in mutants_of("x.py", source)]
    assert keys == ["x.py f: a < b -> (a <= b)", "x.py f: a < b -> (a <= b) #2"]
    assert [each.key for each in mutants_of("x.py", "import y\n\n\n" + source)] == keys


def test_the_same_seed_takes_the_same_sample_and_another_seed_another():
    one, again, other = (sample("rates", AREAS["rates"], seed, 10) for seed in (1, 1, 2))
    assert one == again
    assert len(one) == 10
    assert one != other


def test_every_area_has_modules_and_likely_tests():
    for area in AREAS.values():
        assert area.paths()
        assert area.likely()


def test_what_is_listed_as_equivalent_is_a_mutant_still_and_has_a_reason():
    sources = {key.partition(" ")[0] for key in EQUIVALENT}
    keys = {each.key for path in sources for each in mutants_of(path, (ROOT / path).read_text("utf-8"))}
    assert {*EQUIVALENT} - keys == set(), "these have changed: see what became of them"
    assert all(len(reason) > 20 for reason in EQUIVALENT.values())


def test_a_survivor_that_is_not_listed_fails_the_run():
    mutant = Mutant("x.py", "f", 1, 0, 1, "b", "x.py f: a -> b")
    killed, hung, survived, listed = (
        Trial("dice", mutant, Run("killed", 1.0, "t.py::t")),
        Trial("dice", mutant, Run("timeout", 1.0)),
        Trial("undo", mutant, Run("survived", 1.0)),
        Trial("undo", mutant, Run("survived", 1.0), "It changes nothing."),
    )
    verdicts = [each.verdict for each in (killed, hung, survived, listed)]
    assert verdicts == ["killed", "killed", "survived", "equivalent"]
    lines, is_red = figures([killed, hung, survived, listed])
    assert is_red
    assert [line.split() for line in lines[1:]] == [["dice", "2", "0", "0"], ["undo", "0", "1", "1"]]
    assert not figures([killed, hung, listed])[1]
