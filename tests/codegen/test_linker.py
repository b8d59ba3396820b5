"""Linker: the text of a recipe contains its parts in order, and its key changes with the text."""

import ast
import subprocess
import sys

import pytest
import sympy as sp

from lessons_lib.codegen import Kernel, linker, plain_files
from lessons_lib.codegen.linker import Constants, Derived, Imported, Plain, Recipe
from lessons_lib.errors import CodegenError

LAYOUT, LOOPS = "lessons_lib.robots.tree_layout", "lessons_lib.robots.tree_loops"


def double():
    a = sp.Symbol("a", real=True)
    return [Kernel("double_kernel", {"x": sp.Matrix([a])}, {"y": sp.Matrix([2 * a])}, summary="Twice a.")]


def defined_names(text):
    """Return the names that a linked text binds, in order."""
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return found


def test_parts_are_printed_in_order_after_the_imports():
    parts = (Constants({"FIRST": 1.5}), Derived(double), Plain(LAYOUT), Imported("math", "tau"), Constants({"LAST": 2}))
    recipe = Recipe("order", parts)
    names = defined_names(recipe.text())
    assert names[:2] == ["FIRST", "double_kernel"] and names[-1] == "LAST" and "REVOLUTE" in names
    assert recipe.text().index("from math import tau") < recipe.text().index("FIRST = 1.5")


def test_a_plain_file_contributes_constants_and_decorated_functions_only():
    text = Plain(LOOPS, mark="@first", marks={"accumulate_masses": "@second"}).text()
    functions = [line for line in text.splitlines() if line.startswith("def ")]
    assert text.count("@first\ndef ") == len(functions) - 1 and text.count("@second\ndef accumulate_masses(") == 1
    assert "import" not in text.split("def ", 1)[0] and "TYPE_CHECKING" not in text and "NDArray" not in text
    assert Plain(LAYOUT).text().splitlines()[0].startswith("KIND, PARENT")


def test_a_plain_file_with_a_decorator_is_refused(tmp_path, monkeypatch):
    file = tmp_path / "decorated.py"
    file.write_text("import functools\n\n\n@functools.cache\ndef f(x):\n    return x\n")
    monkeypatch.setattr(plain_files, "file_of", lambda module: file)
    with pytest.raises(CodegenError, match=r"somewhere\.f has a decorator; remove it: recipes add decorators"):
        Plain("somewhere").text()


def test_a_recipe_for_numpy_does_not_import_the_compiler():
    assert "native" not in Recipe("light", (Derived(double, "numpy"),)).text()
    assert "@native(contract=True, inline=False)\ndef double_kernel(" in Recipe("compiled", (Derived(double),)).text()


CHANGES = {
    "other numbers": Recipe("toy", (Derived(double), Constants({"N": 1})), numbers="2"),
    "another constant": Recipe("toy", (Derived(double), Constants({"N": 2})), numbers="1"),
    "another target": Recipe("toy", (Derived(double, "numpy"), Constants({"N": 1})), numbers="1"),
    "a part more": Recipe("toy", (Derived(double), Constants({"N": 1}), Plain(LAYOUT)), numbers="1"),
    "another order": Recipe("toy", (Constants({"N": 1}), Derived(double)), numbers="1"),
    "another import": Recipe("toy", (Derived(double), Constants({"N": 1}), Imported("lessons_lib.errors", "x")), "1"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_a_recipe_changes_its_key(change):
    first = Recipe("toy", (Derived(double), Constants({"N": 1})), numbers="1")
    assert first.key() == Recipe("toy", (Derived(double), Constants({"N": 1})), numbers="1").key()
    assert CHANGES[change].key() != first.key()


def test_decorators_and_selections_change_the_key_of_a_plain_file():
    ways = ({}, {"mark": "@x"}, {"marks": {"integrate": "@x"}}, {"only": ("integrate",)}, {"without": ("integrate",)})
    assert len({Plain(LOOPS, **way).key() for way in ways}) == 5


def test_equal_recipes_load_the_same_module(tmp_path, monkeypatch):
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(tmp_path))
    base = linker.load(Recipe("toy_base", (Constants({"HALF": 0.5}),)))
    recipe = Recipe("toy_linked", (Imported(base, "HALF"), Plain(LAYOUT)))
    module = linker.load(recipe)
    assert (module.HALF, module.KIND) == (0.5, 0)
    assert linker.load(recipe) is module
    assert recipe.needed == (base,)


def test_a_key_is_computed_without_sympy():
    code = "import sys\nfrom lessons_lib.lie import kernels\nkernels.RECIPE.key()\nassert 'sympy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=900)
