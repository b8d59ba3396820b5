"""The linker: what a recipe names stands in the text once and in order; the key follows the text."""

import ast
import builtins
import subprocess
import symtable
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import sympy as sp

from lessons_lib import robots
from lessons_lib.codegen import Kernel, modules, plain_files
from lessons_lib.codegen.linker import Constants, Derived, Plain, Recipe, Taken
from lessons_lib.differential_ik import kernels as differential_kernels
from lessons_lib.errors import CodegenError
from lessons_lib.lie import jacobian_kernels, kernels
from lessons_lib.pose_ik import evaluation, lanes, sequential
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.robots import chain_module, closed_form, tree_kernels
from lessons_lib.trajectories import tracing

LAYOUT, LOOPS = "lessons_lib.robots.tree_layout", "lessons_lib.robots.tree_loops"


def double() -> list[Kernel]:
    a = sp.Symbol("a", real=True)
    return [Kernel("double_kernel", {"x": sp.Matrix([a])}, {"y": sp.Matrix([2 * a])}, summary="Twice a.")]


def of_a_chain() -> Recipe:
    chain = robots.ur10()
    return chain_module.recipe(chain.name, chain.screws, chain.home)


RECIPES: dict[str, Callable[[], Recipe]] = {
    "lie": lambda: kernels.RECIPE,
    "lie_jacobians": lambda: jacobian_kernels.RECIPE,
    "planar_2r": lambda: closed_form.RECIPE,
    "tree": tree_kernels.recipe,
    "differential_ik": differential_kernels.recipe,
    "chain": of_a_chain,
    "pose_ik_split": lambda: evaluation.RECIPE,
    "pose_ik_search": lambda: sequential.SEARCH,
    "pose_ik_kernels": lambda: sequential.kernel_recipe(robots.planar_2r(), Variant(sequential=True)),
    "pose_ik_lanes_common": lambda: lanes.common_recipe(2, 4, Variant()),
    "pose_ik_lanes": lambda: lanes.recipe(robots.planar_2r(), Variant()),
    "trace_waypoints": tracing.recipe,
}


def defined(text: str) -> list[str]:
    """Return the names that a linked text binds, in order."""
    found: list[str] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return found


def unknown_names(text: str, imported: set[str]) -> set[str]:
    """Return the names that functions of a text look for in their module, and that are not there."""
    table = symtable.symtable(text, "<linked>", "exec")
    known = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    looked_for: set[str] = set()
    tables = list(table.get_children())
    while tables:
        inner = tables.pop()
        tables += inner.get_children()
        looked_for |= {s.get_name() for s in inner.get_symbols() if s.is_global() and s.is_referenced()}
    return looked_for - known - imported - set(dir(builtins))


def test_parts_stand_in_their_order_and_imports_first() -> None:
    parts = (Constants({"FIRST": 1.5}), Derived(double), Plain(LAYOUT), Taken("math", "tau"), Constants({"LAST": 2}))
    recipe = Recipe("order", parts)
    names = defined(recipe.text())
    assert names[:2] == ["FIRST", "double_kernel"] and names[-1] == "LAST" and "REVOLUTE" in names
    assert recipe.text().index("from math import tau") < recipe.text().index("FIRST = 1.5")


def test_a_plain_file_gives_its_constants_and_its_functions_marked_and_nothing_else() -> None:
    text = Plain(LOOPS, mark="@first", marks={"gather": "@second"}).text()
    functions = [line for line in text.splitlines() if line.startswith("def ")]
    assert text.count("@first\ndef ") == len(functions) - 1 and text.count("@second\ndef gather(") == 1
    assert "import" not in text.split("def ", 1)[0] and "TYPE_CHECKING" not in text and "NDArray" not in text
    assert Plain(LAYOUT).text().splitlines()[0].startswith("KIND, PARENT")


def test_a_plain_file_with_a_decorator_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "decorated.py"
    file.write_text("import functools\n\n\n@functools.cache\ndef f(x):\n    return x\n")
    monkeypatch.setattr(plain_files, "file_of", lambda module: file)
    with pytest.raises(CodegenError, match=r"somewhere\.f has a decorator; a recipe says how it is compiled"):
        Plain("somewhere").text()


MARKED = """
from lessons_lib.codegen.plain_files import compiled

FULL, unused = 1e-9, 2
half = 0.5
OTHER = 3


@compiled
def first(x):
    return x * FULL * half


def second(x):
    return OTHER
"""


def test_of_a_file_with_other_things_the_marked_functions_are_linked_and_what_they_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mixed.py"
    file.write_text(MARKED)
    monkeypatch.setattr(plain_files, "file_of", lambda module: file)
    assert list(Plain("somewhere", marked=True).definitions()) == ["FULL, unused", "half", "first"]
    assert Plain("somewhere", marked=True).text().count("compiled") == 0
    assert list(Plain("somewhere").definitions()) == ["OTHER", "first", "second"]


def test_a_file_may_be_linked_into_two_modules_each_function_into_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "divided.py"
    file.write_text("SIZE = 2\n\n\ndef helps(x): ...\n\n\ndef calls(x): ...\n\n\ndef calls_too(x): ...\n")
    monkeypatch.setattr(plain_files, "file_of", lambda module: file)
    callers = ("calls", "calls_too")
    assert list(Plain("somewhere", without=callers).definitions()) == ["SIZE", "helps"]
    assert list(Plain("somewhere", only=callers).definitions()) == ["calls", "calls_too"]


def test_marked_files_are_found_by_their_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    for name, text in {"__init__": "", "b": MARKED, "a": "def first(x): ...\n", "below/c": MARKED}.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setattr(plain_files, "file_of", lambda module: tmp_path / "__init__.py")
    assert [part.module for part in plain_files.marked_files("package")] == ["package.b", "package.below.c"]


def test_a_derived_text_is_checked_before_anything_is_done_with_it() -> None:
    def refuse(text: str) -> None:
        raise CodegenError("wrong: " + text.split("def ")[1].split("(")[0])

    with pytest.raises(CodegenError, match="wrong: double_kernel"):
        Recipe("refused", (Derived(double, check=refuse),)).text()


def test_a_recipe_for_numpy_alone_loads_no_compiler() -> None:
    assert "native" not in Recipe("light", (Derived(double, "numpy"),)).text()
    assert "@native(contract=True, inline=False)\ndef double_kernel(" in Recipe("compiled", (Derived(double),)).text()


@pytest.mark.parametrize("name", RECIPES)
def test_every_name_that_a_linked_function_uses_is_there_once(name: str) -> None:
    recipe = RECIPES[name]()
    text, taken = recipe.text(), {x for module in recipe.needed for x in vars(module)}
    assert unknown_names(text, taken) == set()
    names = defined(text)
    assert len(names) == len(set(names))


def test_a_name_that_is_missing_would_be_found() -> None:
    assert unknown_names(Plain(LOOPS).text(), set()) >= {"revolute_kernel", "WORLD"}


CHANGES = {
    "other numbers": Recipe("toy", (Derived(double), Constants({"N": 1})), numbers="2"),
    "another constant": Recipe("toy", (Derived(double), Constants({"N": 2})), numbers="1"),
    "another target": Recipe("toy", (Derived(double, "numpy"), Constants({"N": 1})), numbers="1"),
    "a part more": Recipe("toy", (Derived(double), Constants({"N": 1}), Plain(LAYOUT)), numbers="1"),
    "another order": Recipe("toy", (Constants({"N": 1}), Derived(double)), numbers="1"),
    "another import": Recipe("toy", (Derived(double), Constants({"N": 1}), Taken("lessons_lib.errors", "x")), "1"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_the_text_changes_the_key(change: str) -> None:
    first = Recipe("toy", (Derived(double), Constants({"N": 1})), numbers="1")
    assert first.key() == Recipe("toy", (Derived(double), Constants({"N": 1})), numbers="1").key()
    assert CHANGES[change].key() != first.key()


def test_a_mark_is_part_of_the_key() -> None:
    plain = [
        Plain(LOOPS),
        Plain(LOOPS, mark="@other"),
        Plain(LOOPS, marks={"gather": "@x"}),
        Plain(LOOPS, only=("gather",)),
        Plain(LOOPS, without=("gather",)),
    ]
    assert len({part.key() for part in plain}) == 5


def test_a_module_is_found_again_by_its_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    base = modules.load(Recipe("toy_base", (Constants({"HALF": 0.5}),)))
    recipe = Recipe("toy_linked", (Taken(base, "HALF"), Plain(LAYOUT)))
    module: ModuleType = modules.load(recipe)
    assert (module.HALF, module.KIND) == (0.5, 0)
    assert modules.load(recipe) is module
    assert recipe.needed == (base,)


def test_a_key_is_made_without_sympy() -> None:
    code = "import sys\nfrom lessons_lib.lie import kernels\nkernels.RECIPE.key()\nassert 'sympy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=900)
