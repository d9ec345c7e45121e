# SPDX-License-Identifier: GPL-3.0-or-later
"""find_circles on objects that are compiled here: folders that need each other are told, others are not."""

import json
import subprocess

import pytest

import find_circles


@pytest.fixture(name="compile_tree")
def fixture_compile_tree(tmp_path):
    """Compiles {source: text} so that each object lies beside its source; returns the tree."""
    def compile_all(sources):
        for name, text in sources.items():
            source = tmp_path / name
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(text)
            subprocess.run(["gcc", "-c", source, "-o", source.with_suffix(".o")], check=True)
        return tmp_path
    return compile_all


DOWN = {"upper/a.c": "void low(void); void high(void) { low(); }", "lower/b.c": "void low(void) { }"}
UP = {"lower/c.c": "void high(void); void callback(void) { high(); }"}


def test_no_circle(compile_tree, capsys):
    tree = compile_tree(DOWN)
    assert find_circles.main([str(tree), str(tree)]) == 0
    assert "2 objects, 2 folders: 0 circles, 0 upward references" in capsys.readouterr().out


def test_circle_of_folders(compile_tree, capsys):
    tree = compile_tree(DOWN | UP)
    assert find_circles.main([str(tree), str(tree)]) == 1
    out = capsys.readouterr().out
    assert "circle: lower, upper" in out and "lower needs of upper: high" in out and "upper needs of lower: low" in out
    # No file needs itself by way of another.
    assert find_circles.main(["--files", str(tree), str(tree)]) == 0


def test_circle_of_three(compile_tree):
    tree = compile_tree({"a/a.c": "void b(void); void a(void) { b(); }", "b/b.c": "void c(void); void b(void) { c(); }",
                         "c/c.c": "void a(void); void c(void) { a(); }"})
    assert find_circles.main([str(tree), str(tree)]) == 1


def test_weak_and_own_symbols_make_no_circle(compile_tree):
    tree = compile_tree({"a/a.c": "void b(void); __attribute__((weak)) void twice(void) { } void a(void) { b(); }",
                         "b/b.c": "__attribute__((weak)) void twice(void) { } void b(void) { twice(); }"})
    assert find_circles.main([str(tree), str(tree)]) == 0


def test_objects_of_meson(compile_tree, tmp_path):
    tree = compile_tree(DOWN | UP)
    build = tmp_path / "build"
    build.mkdir()
    commands = [{"file": f"../{name}", "output": f"../{name[:-1]}o", "directory": str(build), "command": ""} for name in DOWN | UP]
    (build / "compile_commands.json").write_text(json.dumps(commands))
    assert find_circles.main([str(tree), str(build)]) == 1
    assert find_circles.main(["--under", "upper", str(tree), str(build)]) == 0


@pytest.mark.parametrize("allowed, lines", [
    ({"kernel/upper": ["kernel/lower"], "kernel/lower": []}, []),
    ({"kernel/upper": [], "kernel/lower": ["kernel/upper"]}, ["upward: kernel/upper needs of kernel/lower: low"]),
    # A folder below a row belongs to that row.
    ({"kernel": []}, []),
])
def test_upward(compile_tree, capsys, monkeypatch, allowed, lines):
    monkeypatch.setattr(find_circles, "MAY_INCLUDE", allowed)
    tree = compile_tree(DOWN)
    assert find_circles.main(["--as", "kernel", "--files", str(tree), str(tree)]) == (1 if lines else 0)
    assert capsys.readouterr().out.splitlines()[:-1] == lines


def test_nothing_to_judge(tmp_path):
    assert find_circles.main([str(tmp_path), str(tmp_path)]) == 2
