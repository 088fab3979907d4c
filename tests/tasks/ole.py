# SPDX-License-Identifier: LGPL-3.0-or-later
"""Compound files (OLE2) after [MS-CFB], and Zeiss's .txrm in them, made byte by byte."""
import random
import struct

END, FREE, TABLE, TABLES = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFC


class Sectors:
    """Numbered pieces and what follows each; in any order where `rng` is given."""

    def __init__(self, size, count=0, rng=None):
        self.size, self.pieces, self.next = size, {}, {}
        self.free = list(range(count))
        if rng:
            rng.shuffle(self.free)

    def put(self, content, mark=None):
        pieces = [content[i:i + self.size].ljust(self.size, b"\0") for i in range(0, len(content), self.size)]
        numbers, self.free = self.free[:len(pieces)], self.free[len(pieces):]
        assert len(numbers) == len(pieces)
        for i, (number, piece) in enumerate(zip(numbers, pieces)):
            self.pieces[number] = piece
            self.next[number] = mark or (numbers[i + 1] if i + 1 < len(numbers) else END)
        return numbers

    def table(self, entries):
        return struct.pack(f"<{entries}I", *(self.next.get(i, FREE) for i in range(entries)))


def parts(size, of):
    return -(-size // of)


def balanced(ids):
    """The root of a binary tree of sorted entries, and (left, right) of each."""
    if not ids:
        return FREE, {}
    middle = len(ids) // 2
    left, links = balanced(ids[:middle])
    right, others = balanced(ids[middle + 1:])
    return ids[middle], {**links, **others, ids[middle]: (left, right)}


def compound(streams, sector=512, seed=None):
    """A file of streams, {"Storage/Stream": bytes}; with a seed its sectors follow no order."""
    rng = random.Random(seed) if seed is not None else None
    entries, children = [("Root Entry", 5, b"")], {0: []}
    folders = {"": 0}
    for path, content in streams.items():
        folder, _, name = path.rpartition("/")
        if folder not in folders:
            folders[folder] = len(entries)
            children[0].append(len(entries))
            children[len(entries)] = []
            entries.append((folder, 1, b""))
        children[folders[folder]].append(len(entries))
        entries.append((name, 2, content))

    small = [i for i, (_, kind, content) in enumerate(entries) if kind == 2 and 0 < len(content) < 4096]
    minis = Sectors(64, sum(parts(len(entries[i][2]), 64) for i in small), rng)
    first = {i: minis.put(entries[i][2])[0] for i in small}
    holder = b"".join(minis.pieces[i] for i in range(len(minis.pieces)))
    small_table = minis.table(parts(len(holder), 64)) if holder else b""

    large = [i for i, (_, kind, content) in enumerate(entries) if kind == 2 and len(content) >= 4096]
    rows = [len(entries) * 128, len(holder), len(small_table), *(len(entries[i][2]) for i in large)]
    needed, per = sum(parts(n, sector) for n in rows), sector // 4
    tables, lists = 1, 0
    while tables * per < needed + tables + lists:
        tables += 1
        lists = parts(max(tables - 109, 0), per - 1)
    sectors = Sectors(sector, needed + tables + lists, rng)
    for i in large:
        first[i] = sectors.put(entries[i][2])[0]
    held = sectors.put(holder)
    small_at = sectors.put(small_table)

    directory = b""
    links = {}
    for ids in children.values():
        ids.sort(key=lambda i: (len(entries[i][0]), entries[i][0].upper()))
    roots = {}
    for parent, ids in children.items():
        roots[parent], more = balanced(ids)
        links.update(more)
    for i, (name, kind, content) in enumerate(entries):
        size, start = (len(holder), held[0] if held else END) if i == 0 else (len(content), first.get(i, END if kind == 2 else 0))
        directory += name.encode("utf-16-le").ljust(64, b"\0") + struct.pack(
            "<HBBIII16xI8x8xIQ", 2 * len(name) + 2, kind, 1, *links.get(i, (FREE, FREE)), roots.get(i, FREE), 0, start, size)
    at = sectors.put(directory)

    table_at = [n for _ in range(tables) for n in sectors.put(b"\0" * sector, TABLE)]
    list_at = [n for _ in range(lists) for n in sectors.put(b"\0" * sector, TABLES)]
    whole = sectors.table(tables * per)
    for i, number in enumerate(table_at):
        sectors.pieces[number] = whole[i * sector:(i + 1) * sector]
    behind = table_at[109:]
    for i, number in enumerate(list_at):
        some = behind[i * (per - 1):(i + 1) * (per - 1)]
        following = list_at[i + 1] if i + 1 < len(list_at) else END
        sectors.pieces[number] = struct.pack(f"<{per}I", *some, *[FREE] * (per - 1 - len(some)), following)
    head = struct.pack("<8s16xHHHHH6xIIIIIIIII", bytes.fromhex("d0cf11e0a1b11ae1"), 0x3E, 3 if sector == 512 else 4, 0xFFFE,
                       sector.bit_length() - 1, 6, 0 if sector == 512 else len(at), tables, at[0], 0, 4096,
                       small_at[0] if small_at else END, len(small_at), list_at[0] if list_at else END, lists)
    head += struct.pack("<109I", *(table_at + [FREE] * 109)[:109])
    return head.ljust(sector, b"\0") + b"".join(sectors.pieces.get(i, b"\0" * sector) for i in range(needed + tables + lists))


def txrm(images, angles=None, flat=None, sector=512, seed=None, **more):
    """Keys of `more` are streams of ImageInfo: numbers, lists of floats, or None to leave one out."""
    kinds = {"u": 5, "f": 10}
    n, lines, columns = images.shape
    info = {"ImageWidth": columns, "ImageHeight": lines, "NoOfImages": n, "DataType": kinds[images.dtype.kind], **more}
    if angles is not None:
        info["Angles"] = list(angles)
    streams = {}
    for name, value in info.items():
        name = name if "/" in name else "ImageInfo/" + name
        if isinstance(value, (list, float)):
            values = value if isinstance(value, list) else [value]
            streams[name] = struct.pack(f"<{len(values)}f", *values)
        elif value is not None:
            streams[name] = value if isinstance(value, bytes) else struct.pack("<i", value)
    for i, image in enumerate(images):
        streams[f"ImageData{i // 100 + 1}/Image{i + 1}"] = image.astype(image.dtype.newbyteorder("<")).tobytes()
    if flat is not None:
        streams["ReferenceData/Image"] = flat.astype(flat.dtype.newbyteorder("<")).tobytes()
        streams["ReferenceData/DataType"] = struct.pack("<i", kinds[flat.dtype.kind])
    return compound(streams, sector, seed)
