# SPDX-License-Identifier: LGPL-3.0-or-later
"""Takes back what a machine without power would have lost, by the log of undo-log.c: any part of what was not synced."""
import os
from pathlib import Path


def entries_of(log):
    """What was done, in its order: tuples of words, the bytes that were there before last."""
    content, at, entries = log.read_bytes() if log.exists() else b"", 0, []
    while (end := content.find(b"\n", at)) >= 0:
        line, at = content[at:end].decode(), end + 1
        if line.startswith("bytes "):
            inode, offset, count, size = map(int, line.split()[1:])
            if at + count > len(content):
                break  # the program was killed while it wrote that, so nothing was done yet
            entries.append(("bytes", inode, offset, size, content[at : at + count]))
            at += count
        else:
            entries.append(tuple(line.split("\t")))
    return entries


def unsynced(entries):
    """Those that may be lost, the newest first. The name of a file is on the disk once its folder was synced."""
    files, folders, everything = set(), set(), False
    for entry in reversed(entries):
        if entry[0] == "all":
            everything = True
        elif entry[0] == "synced":
            files.add(int(entry[1]))
            folders.add(entry[2])
        elif everything:
            continue
        elif entry[0] == "bytes":
            if entry[1] not in files:
                yield entry
        elif os.path.dirname(entry[1]) not in folders:
            yield entry


def lose(root, log, dice):
    """Returns how many changes were lost, of how many that could be."""
    log, lost, possible = Path(log), 0, 0
    share = dice.choice((0.1, 0.5, 0.9, 1))
    for kind, *what in list(unsynced(entries_of(log))):
        possible += 1
        if dice.random() >= share:
            continue
        lost += 1
        if kind == "bytes":
            inode, offset, size, before = what
            path = next((p for p in Path(root).rglob("*") if p.is_file() and p.stat().st_ino == inode), None)
            if path:
                with open(path, "r+b") as file:
                    file.seek(offset)
                    file.write(before)
                    file.truncate(size)
        elif kind == "renamed":
            old, new, kept = what
            if os.path.lexists(new):
                os.rename(new, old)
            if kept != "-" and os.path.lexists(kept):
                os.rename(kept, new)
        elif kind == "removed" and what[1] != "-" and not os.path.lexists(what[0]):
            if os.path.isdir(os.path.dirname(what[0])):
                os.link(what[1], what[0])
        elif kind == "made":
            Path(what[0]).unlink(missing_ok=True)
        elif kind == "folder" and os.path.isdir(what[0]) and not os.listdir(what[0]):
            os.rmdir(what[0])
    for kept in log.parent.glob(log.name + "*"):
        kept.unlink()
    return lost, possible
