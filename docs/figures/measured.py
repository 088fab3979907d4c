# SPDX-License-Identifier: LGPL-3.0-or-later
"""What `sinograph bench` measures, and tables of it in docs/guide/performance.md."""
import json
import os
import re
import subprocess
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "guide/performance.md"


def bench(name, **how):
    words = [f"--{key}={value}" for key, value in how.items()]
    done = subprocess.run([os.environ.get("SINOGRAPH", "sinograph"), "bench", name, "--json", "--device=native", *words],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def put(section, head, rows, on_page):
    """Prints a table in Markdown, and puts it into its place on the page if wanted."""
    lines = "".join("| " + " | ".join(str(cell) for cell in cells) + " |\n" for cells in (head, ["---"] * len(head), *rows))
    print(lines, flush=True)
    if on_page:
        begin, end = f"<!-- {section} -->\n", f"<!-- /{section} -->"
        PAGE.write_text(re.sub(f"{begin}.*?{end}", lambda _: begin + lines + end, PAGE.read_text(), flags=re.DOTALL))
