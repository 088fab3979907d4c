# SPDX-License-Identifier: LGPL-3.0-or-later
"""What `sinograph bench` measures, and tables in pages, most of them of docs/guide/performance.md."""
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


def put(section, head, rows, on_page, page=PAGE):
    """Prints a table in Markdown, puts it into its place on the page if wanted, and tells whether it is there."""
    lines = "".join("| " + " | ".join(str(cell) for cell in cells) + " |\n" for cells in (head, ["---"] * len(head), *rows))
    print(lines, flush=True)
    begin, end = f"<!-- {section} -->\n", f"<!-- /{section} -->"
    before = page.read_text()
    text = re.sub(f"{begin}.*?{end}", lambda _: begin + lines + end, before, flags=re.DOTALL)
    if on_page:
        page.write_text(text)
    return begin in text and (on_page or text == before)
