#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Holds the source tree to its layout: folders import downward, none in a circle, and hold few files, files are licensed and short, links lead somewhere.

usage: layout.py SOURCE_ROOT [BUILD_ROOT]

With a build that compiles files one by one, links are held to it as well.
"""
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

# What each folder may include, besides itself. docs/design/layout.md says why.
BELOW = {
    "api": [],
    "base": ["api"],
    "stream": ["api", "base"],
    "device": ["api", "base", "stream"],
    "families": ["api", "base", "stream", "device"],
    "formats": ["api", "base", "stream", "device"],
    "geometry": ["api", "base", "stream"],
    "glue": ["api", "base", "stream", "device", "families", "formats", "geometry"],
    "app": ["api", "base", "stream", "device", "formats", "glue"],
    "graph": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue"],
    "ufo": ["api", "base", "stream", "glue", "graph"],
    "plan": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "graph"],
    "scan": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "graph", "plan"],
    "ranks": ["api", "base"],
    "pass": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "graph", "plan", "ranks"],
    "run": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "graph", "plan", "ranks", "pass"],
    "monitor": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "app", "graph", "plan", "scan", "ranks",
                "pass", "run", "kernels"],
    "cli": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "app", "graph", "ufo", "plan", "scan", "ranks",
            "pass", "run", "kernels", "monitor"],
    "bench": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "app", "graph", "ufo", "plan", "ranks",
              "pass", "run", "kernels", "cli"],
    "kernels": ["api", "base", "stream", "device"],
    "filters": ["api", "base", "stream", "device", "families", "formats", "geometry", "glue", "kernels"],
    "tasks": ["api", "base", "stream", "device", "formats", "geometry", "glue"],
}
SOURCES = ("src", "filters", "tasks", "kernels", "monitor", "bench")
CODE = {".c", ".h", ".cpp", ".hpp", ".cl", ".py", ".build", ".sh", ".options"}
LONGEST = 400
FULLEST = 40
FILE_PER_NODE = {Path(place) / kind for place in ("", "docs", "tests") for kind in ("filters", "tasks")}
SKIPPED = {".git", "__pycache__", "subprojects", "demo"}


def tree(root):
    for path in sorted(root.iterdir()):
        if path.name in SKIPPED or path.name.startswith("build"):
            continue
        if path.is_dir():
            yield from tree(path)
        else:
            yield path


def folder_of(parts):
    """The layer that a path belongs to, or None: src/plan/plan.hpp -> plan, filters/x.cpp -> filters."""
    layer = parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]
    return layer if layer in BELOW else None


def is_installed(root, file):
    """Headers for users stand in one folder, and name each other without it."""
    return file.parent == root / "src/api" and file.suffix == ".h"


def is_template(root, file):
    """The files of a project elsewhere, and of examples to be copied, name each other as they stand there."""
    return any(root / folder in file.parents for folder in ("src/cli/templates", "docs/examples"))


def check_includes(root, file, text):
    layer = folder_of(file.relative_to(root).parts)
    allowed = allowed_below(layer, file.suffix)
    for number, line in enumerate(text.splitlines(), 1):
        include = re.match(r'\s*#\s*(?:include\s+|define\s+HWY_TARGET_INCLUDE\s+)(["<])([^">]+)[">]', line)
        if not include or file.suffix == ".cl":  # built in, they name their neighbours
            continue
        quote, name = include[1], include[2]
        if is_installed(root, file):
            if "/" in name and target_of(root, root / "src/api/x.cpp", name):
                yield f"{file.relative_to(root)}:{number}: a header for users must not include {name}"
            continue
        if quote == "<" and not target_of(root, file, name):
            continue
        target = name.split("/")[0]
        if target not in BELOW and target != "tests":
            yield f"{file.relative_to(root)}:{number}: write {name} with its folder first, as \"plan/net.hpp\""
        elif allowed is not None and target != layer and target not in allowed:
            yield f"{file.relative_to(root)}:{number}: {layer} must not include {name} ({target} is not below it)"


def target_of(root, file, include):
    """The file of the tree that an include names, or None."""
    bases = (file.parent,) if is_installed(root, file) else (root, root / "src")
    return next((base / include for base in bases if (base / include).is_file()), None)


def unit_of(root, file):
    """A header with its source. The C interface's headers stand below everything, their sources above."""
    name = file.relative_to(root).with_suffix("")
    return str(file.relative_to(root)) if folder_of(name.parts) == "api" and file.suffix != ".h" else str(name)


def circles(graph):
    """The groups of nodes that lead to each other (R. Tarjan, 1972)."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = lowest[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == number[node]:
            group = stack[stack.index(node):]
            del stack[-len(group):]
            if len(group) > 1:
                found.append(group)

    for node in graph:
        if node not in number:
            visit(node)
    return found


def check_circles(root, files):
    """Neither files (a header with its source) nor folders may include each other in a circle."""
    units, folders = {}, {}
    for file in files:
        for include in re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', file.read_text(), re.M):
            target = target_of(root, file, include)
            if target:
                units.setdefault(unit_of(root, file), set()).add(unit_of(root, target))
                if folder_of(file.relative_to(root).parts) != "api":
                    folders.setdefault(str(file.parent), set()).add(str(target.parent))
    for group in circles(units) + circles(folders):
        yield "include each other in a circle: " + ", ".join(sorted(name.removeprefix(f"{root}/") for name in group))


def allowed_below(layer, suffix):
    # The implementation of the C interface stands on top of what it wraps; its headers stand below everything.
    return BELOW["cli"] if layer == "api" and suffix != ".h" else BELOW.get(layer)


def objects(root, build):
    """The source of each object of the layers that was built."""
    for command in json.loads((build / "compile_commands.json").read_text()):
        source, compiled = (build / command["file"]).resolve(), build / command["output"]
        if compiled.exists() and compiled.suffix == ".o" and source.is_relative_to(root) and folder_of(source.relative_to(root).parts):
            yield str(compiled), source


def is_together(build):
    """Whether objects hold several sources, which do not tell whose symbols are whose."""
    return any("-unity" in command["file"] for command in json.loads((build / "compile_commands.json").read_text()))


def check_links(root, build):
    """Objects use symbols of the layers that they may include: a declaration of one's own is no way around that."""
    sources = dict(objects(root, build))
    names = subprocess.run(["nm", "-A", "-P", "-g", *sources], capture_output=True, text=True, check=True).stdout if sources else ""
    definers, users = {}, {}
    for line in names.splitlines():
        compiled, symbol, kind = line.split(" ")[:3]
        if kind in "TDBR":  # weak ones are inline: whoever includes them has his own
            definers.setdefault(symbol, set()).add(sources[compiled.rstrip(":")])
        elif kind == "U":
            users.setdefault(symbol, set()).add(sources[compiled.rstrip(":")])
    used = definers.keys() & users.keys()
    if not used:
        yield f"no links were found between {len(sources)} objects in {build}: were they built, and without -Db_lto?"
    for symbol in used:
        layers = {folder_of(file.relative_to(root).parts) for file in definers[symbol]}
        for user in users[symbol]:
            layer = folder_of(user.relative_to(root).parts)
            if layers.isdisjoint([layer, *allowed_below(layer, user.suffix)]):
                yield f"{user.relative_to(root)}: {layer} must not use {symbol} of {', '.join(layers)}"


def namespace_of(parts):
    """Folders have the namespace of their name, and nodes that of theirs; what all share, in src, has none of its own."""
    own = parts[1] if parts[0] != "src" or parts[1] in ("families", "formats", "app", "ufo", "scan", "cli") else ""
    if parts[0] in ("bench", "monitor"):
        own = parts[0]
    elif len(parts) == 2:  # a file of kernels/, filters/ or tasks/ itself
        own = "kernels" if parts[0] == "kernels" else parts[1].removesuffix(".cpp")
    return "sino" + (own and "::" + own.replace("-", "_"))


def check_namespace(root, file, text):
    parts = file.relative_to(root).parts
    if folder_of(parts) in (None, "api") or file.suffix not in (".cpp", ".hpp"):
        return
    text = re.sub(r"^namespace sino \{\n((class|struct) \w+;\n)+\}", "", text, flags=re.M)  # declared elsewhere
    for found in dict.fromkeys(re.findall(r"^namespace (sino[\w:]*) \{", text, re.M)):
        if re.sub("::(HWY_NAMESPACE|detail)$", "", found) != namespace_of(parts):
            yield f"{'/'.join(parts)}: {found} is not {namespace_of(parts)}, the namespace of its folder"


def check_licence(root, file, text):
    if not any("SPDX-License-Identifier: LGPL-3.0-or-later" in line for line in text.splitlines()[:3]):
        yield f"{file.relative_to(root)}: no 'SPDX-License-Identifier: LGPL-3.0-or-later' in its first three lines"


def check_length(root, file, text):
    lines = text.count("\n")
    if lines > LONGEST:
        yield f"{file.relative_to(root)}: {lines} lines; split it by idea, {LONGEST} is the most"


def check_folders(root):
    numbers = Counter(file.parent for file in tree(root))
    for folder, number in numbers.items():
        if number > FULLEST and folder.relative_to(root) not in FILE_PER_NODE:
            yield f"{folder.relative_to(root)}: {number} files; give those of one idea a folder of their own, {FULLEST} is the most"


# What reads or writes numbers and letters as the process's locale has them, which a program that embeds the library
# chooses. base/text.hpp has what does not.
LOCAL = (
    r"(?<!g_)\b(std::)?(sto[dfil]|stoll|stoull?|stold|strto[dfl]|strtold|strtoll|strtoull?|ato[filq]|v?s?n?f?scanf)\s*\(",
    r"(?<![\w])(std::)?(tolower|toupper|is(alpha|digit|alnum|space|xdigit|punct|print|upper|lower|cntrl))\s*\(",
    r"\bv?(f|s|sn|as|d)?printf\s*\([^;]*%[-+ #0-9.*]*[aefgAEFG]\b",
)


def check_locale(root, file, text):
    layer = file.relative_to(root).parts[0]
    if layer not in SOURCES or file.suffix not in (".c", ".cpp", ".hpp"):
        return
    for pattern in LOCAL:
        for found in re.finditer(pattern, text):
            number = text.count("\n", 0, found.start()) + 1
            yield f"{file.relative_to(root)}:{number}: '{found[0].split('(')[0].strip()}' follows the locale; see base/text.hpp"


# Names between apostrophes are from outside: base/shown.hpp.
RAW = re.compile(r"""'" \+ (?!")""")


def check_names(root, file, text):
    if file.relative_to(root).parts[0] not in SOURCES or file.stem == "shown":
        return
    for found in RAW.finditer(text):
        number = text.count("\n", 0, found.start()) + 1
        yield f"{file.relative_to(root)}:{number}: put a name into a message by in_quotes (), which shows what a terminal would obey"


def check_references(root, file, text):
    prose = re.sub(r"^(```.*?^```|    .*?)$", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if not re.match(r"[a-z]+:", target) and not (file.parent / target).exists():
            yield f"{file.relative_to(root)}: the link to {target} leads nowhere"


def problems(root):
    yield from check_circles(root, [file for file in tree(root) if file.suffix in (".c", ".h", ".cpp", ".hpp")])
    yield from check_folders(root)
    for file in tree(root):
        is_script = file.suffix == "" and file.read_bytes()[:2] == b"#!"
        if file.suffix in CODE or is_script or file.name in (".clang-format", ".clang-tidy"):
            text = file.read_text()
            if not is_template(root, file):
                yield from check_includes(root, file, text)
            yield from check_namespace(root, file, text)
            yield from check_licence(root, file, text)
            yield from check_length(root, file, text)
            yield from check_locale(root, file, text)
            if file.suffix in (".cpp", ".hpp"):
                yield from check_names(root, file, text)
        elif file.suffix == ".md" and not is_template(root, file):
            yield from check_references(root, file, file.read_text())


def main():
    root = Path(sys.argv[1]).resolve()
    found = list(problems(root))
    build = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    if build and not shutil.which("nm"):
        print("links were not looked at: there is no nm here")
    elif build and is_together(build):
        print("links were not looked at: this build compiles files together")
    elif build:
        found += check_links(root, build)
    print("\n".join(found) or "the layout holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
