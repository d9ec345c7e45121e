#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds circles between folders at link level: which folder's objects need symbols that another folder's objects define.

usage: find_circles.py [--files] [--under FOLDER] TREE WHERE

WHERE is a build folder of meson's (its compile_commands.json tells each object's source), or a folder in which each object
lies beside its source, as the kernel's build leaves them. TREE is the folder that the sources' names are told from. --under: only sources below that folder. --files: between
files and not folders. Prints each circle with the symbols that make it; 1 when there is one, 2 when there is nothing to judge.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys


def objects_of_meson(where):
    """{object: source}, both absolute, of the build's C and C++ files."""
    commands = json.loads((where / "compile_commands.json").read_text(encoding="utf-8"))
    return {where / row["output"]: pathlib.Path(os.path.normpath(where / row["file"])) for row in commands}


def objects_beside_sources(where):
    """{object: source} for objects that lie beside a file of their name."""
    found = {}
    for item in where.rglob("*.o"):
        for suffix in (".c", ".cpp"):
            if item.with_suffix(suffix).exists():
                found[item] = item.with_suffix(suffix)
    return found


def read_symbols(path):
    """(defined, needed): the strong definitions of an object file, and what it leaves undefined."""
    lines = subprocess.run(["nm", "-P", path], check=True, capture_output=True, text=True).stdout.splitlines()
    defined, needed = set(), set()
    for line in lines:
        name, kind = line.split()[:2]
        if kind == "U":
            needed.add(name)
        elif kind in "ABDGRST":
            defined.add(name)
    return defined, needed


def find_edges(symbols):
    """{place: {other place: symbols}} from [(place, defined, needed)]. A symbol that two places define belongs to neither."""
    owners = {}
    for place, defined, _ in symbols:
        for name in defined:
            owners.setdefault(name, set()).add(place)
    edges = {place: {} for place, _, _ in symbols}
    for place, _, needed in symbols:
        for name in needed:
            owner = owners.get(name, set())
            if len(owner) == 1 and place not in owner:
                edges[place].setdefault(*owner, set()).add(name)
    return edges


def reachable(edges, start):
    """All places that can be reached from start by at least one edge."""
    seen, waiting = set(), list(edges[start])
    while waiting:
        place = waiting.pop()
        if place not in seen:
            seen.add(place)
            waiting += edges.get(place, {})
    return seen


def find_circles(edges):
    """The groups of places that need each other, sorted."""
    reach = {place: reachable(edges, place) for place in edges}
    circles = {frozenset(other for other in reach[place] if place in reach.get(other, ())) for place in edges if place in reach[place]}
    return sorted(sorted(circle) for circle in circles)


def describe(circle, edges):
    """The lines that tell one circle."""
    yield "circle: " + ", ".join(circle)
    for place in circle:
        for other in sorted(set(edges[place]) & set(circle)):
            names = sorted(edges[place][other])
            yield f"  {place} needs of {other}: {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}"


def place_of(source, tree, by_file):
    """The name by which a source is counted."""
    relative = source.relative_to(tree)
    return str(relative if by_file else relative.parent)


def main(arguments):
    """Prints what there is to tell."""
    parser = argparse.ArgumentParser(description="circles between folders at link level")
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--under", default=".")
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("where", type=pathlib.Path)
    options = parser.parse_args(arguments)
    tree, where = options.tree.resolve(), options.where.resolve()
    pairs = objects_of_meson(where) if (where / "compile_commands.json").exists() else objects_beside_sources(where)
    chosen = {item: source for item, source in pairs.items() if item.exists() and source.is_relative_to(tree / options.under)}
    if not chosen:
        print(f"find_circles: no objects in {where} of sources below {options.under}", file=sys.stderr)
        return 2
    edges = find_edges([(place_of(source, tree, options.files), *read_symbols(item)) for item, source in chosen.items()])
    circles = find_circles(edges)
    for circle in circles:
        print("\n".join(describe(circle, edges)))
    print(f"{len(chosen)} objects, {len(edges)} {'files' if options.files else 'folders'}, {len(circles)} circles")
    return 1 if circles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
