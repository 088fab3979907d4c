# SPDX-License-Identifier: LGPL-3.0-or-later
"""Ways to damage a file, mostly where it says what it holds rather than in its pixels."""
import struct
import zlib

SIGNATURES = [b"TREE", b"HEAP", b"SNOD", b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"BTHD", b"BTLF", b"FAHD", b"FADB", b"EAHD",
              b"EAIB", b"EASB", b"GCOL", b"FSHD", b"\x89HDF", b"\x0c\x00\x08\x00"]


def find_all(content, word):
    at = content.find(word)
    while at >= 0:
        yield at
        at = content.find(word, at + 1)


class Tiff:
    """Where a good TIFF keeps its directories."""

    def __init__(self, content):
        self.order = "<" if content[:2] == b"II" else ">"
        self.big = struct.unpack_from(self.order + "H", content, 2)[0] == 43
        self.number = "Q" if self.big else "I"
        self.head = (8, "Q") if self.big else (4, "I")
        self.directories = []  # place, entries, place of the next one's offset
        self.entry = 20 if self.big else 12
        next_at = self.head[0]
        while True:
            at, = struct.unpack_from(self.order + self.number, content, next_at)
            if at == 0:
                break
            n, = struct.unpack_from(self.order + ("Q" if self.big else "H"), content, at)
            first = at + (8 if self.big else 2)
            next_at = first + n * self.entry
            self.directories.append((at, [first + i * self.entry for i in range(n)], next_at))


def is_tiff(content):
    return content[:2] in (b"II", b"MM")


def is_compound(content):
    return content[:4] == b"\xd0\xcf\x11\xe0"


def is_png(content):
    return content[:4] == b"\x89PNG"


def is_jpeg(content):
    return content[:3] == b"\xff\xd8\xff"


def with_sums(content):
    """A PNG whose chunks have the sums that they should, as far as they follow each other."""
    content, at = bytearray(content), 8
    while at + 12 <= len(content):
        size, = struct.unpack_from(">I", content, at)
        if at + 12 + size > len(content):
            break
        struct.pack_into(">I", content, at + 8 + size, zlib.crc32(content[at + 4:at + 8 + size]))
        at += 12 + size
    return content


class Harm:
    def __init__(self, rng, content, others):
        self.rng, self.good, self.content, self.others = rng, content, bytearray(content), others
        self.tiff = Tiff(content) if is_tiff(content) else None
        self.spots = self.find_spots()

    def find_spots(self):
        """Intervals with more meaning than others."""
        if self.tiff:
            return [(0, 16)] + [(at, end + 16) for at, _, end in self.tiff.directories[:4]]
        if is_compound(self.good):  # the head, the directory's entries, what follows which sector
            entries = [at - at % 128 for at in find_all(self.good, "Image".encode("utf-16-le"))]
            first, = struct.unpack_from("<I", self.good, 76)
            return [(0, 96)] + [(at + 64, at + 128) for at in entries] + [(512 * (first + 1), 512 * (first + 2))] * 8
        if is_jpeg(self.good):  # what markers tell
            return [(at, at + 20) for at in find_all(self.good, b"\xff") if self.good[at + 1:at + 2] not in (b"\0", b"")]
        spots = [(0, 128)]
        for word in SIGNATURES:
            spots += [(at, at + 96) for at in find_all(self.good, word)]
        return spots

    def place(self):
        size = len(self.content)
        if self.rng.random() < 0.75:
            begin, end = self.rng.choice(self.spots)
            return min(self.rng.randrange(begin, end), size - 1)
        return self.rng.randrange(min(size, 4096)) if self.rng.random() < 0.5 else self.rng.randrange(size)

    def put(self, at, values):
        values = values[:max(len(self.content) - at, 0)]
        self.content[at:at + len(values)] = values

    def flip_bit(self):
        self.content[self.place()] ^= 1 << self.rng.randrange(8)

    def change_byte(self):
        self.content[self.place()] = self.rng.randrange(256)

    def change_word(self):
        self.put(self.place(), self.rng.randbytes(self.rng.choice((2, 4, 8))))

    def fill_word(self):
        self.put(self.place(), b"\xff" * 8)

    def number(self, size):
        bits = 8 * size
        values = [0, 1, 2, 3, 2 ** bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1, 2 ** bits - 8, len(self.content),
                  len(self.content) - 1, 2 ** 16, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 40, self.rng.randrange(2 ** bits)]
        return self.rng.choice(values) % 2 ** bits

    def change_number(self):
        size = self.rng.choice((1, 2, 4, 8))
        at = self.place()
        order = "big" if self.tiff and self.tiff.order == ">" else "little"
        self.put(at - at % size if self.rng.random() < 0.7 else at, self.number(size).to_bytes(size, order))

    def truncate(self):
        del self.content[self.rng.choice((self.place(), self.rng.randrange(len(self.content)))) + 1:]

    def lengthen(self):
        self.content += self.rng.randbytes(self.rng.randrange(1, 600))

    def block(self):
        size = self.rng.choice((8, 32, 64, 512, 1024))
        return self.place(), size

    def zero_block(self):
        at, size = self.block()
        self.put(at, bytes(size))

    def swap_blocks(self):
        (a, size), (b, _) = self.block(), self.block()
        first, second = bytes(self.content[a:a + size]), bytes(self.content[b:b + size])
        self.put(a, second)
        self.put(b, first)

    def splice(self):
        other = self.rng.choice(self.others)
        at, size = self.block()
        start = at if self.rng.random() < 0.5 else self.rng.randrange(len(other))
        self.put(at, other[start:start + (size if self.rng.random() < 0.7 else len(other))])

    def change_chunk(self):
        """The size, filter mask, place or address of a chunk in a tree; elsewhere a number."""
        trees = [at for at in find_all(self.content, b"TREE") if self.content[at + 4:at + 5] == b"\1"]
        if not trees:
            return self.change_number()
        at = self.rng.choice(trees) + 24 + self.rng.choice((0, 0, 4, 8, 16, 24, 40)) + 48 * self.rng.randrange(4)
        size = 4 if at % 8 == 4 or self.rng.random() < 0.5 else 8
        self.put(at, self.number(size).to_bytes(size, "little"))

    def change_entry(self):
        """A field of an entry of a directory: tag, type, count or value."""
        if not self.tiff:
            return self.change_chunk()
        _, entries, _ = self.rng.choice(self.tiff.directories)
        at = self.rng.choice(entries)
        fields = [(0, "H"), (2, "H"), (4, self.tiff.number), (12 if self.tiff.big else 8, self.tiff.number)]
        skip, kind = self.rng.choice(fields)
        size = struct.calcsize("=" + kind)
        value = self.rng.choice((254, 256, 257, 258, 259, 262, 273, 277, 278, 279, 284, 317, 322, 323, 324, 325, 330, 338,
                                 339)) if skip == 0 else self.rng.randrange(19) if skip == 2 else self.number(size)
        self.put(at + skip, struct.pack(self.tiff.order + kind, value))

    def loop(self):
        """A directory that follows itself, or one before it."""
        if not self.tiff:
            return self.change_chunk()
        i = self.rng.randrange(len(self.tiff.directories))
        target = self.tiff.directories[self.rng.randrange(i + 1)][0]
        self.put(self.tiff.directories[i][2], struct.pack(self.tiff.order + self.tiff.number, target))

    def step(self):
        ways = [self.flip_bit, self.change_byte, self.change_word, self.fill_word, self.change_number, self.truncate,
                self.lengthen, self.zero_block, self.swap_blocks, self.splice, self.change_chunk, self.change_entry,
                self.loop]
        way = self.rng.choices(ways, [5, 4, 3, 3, 8, 2, 1, 2, 1, 2, 4, 6, 1])[0]
        way()
        if not self.content:
            self.content = bytearray(1)
        return way.__name__


def damage(rng, files, others):
    """The files, one of them damaged, and what was done to it."""
    name = rng.choice(list(files)) if rng.random() < 0.3 else next(iter(files))
    harm = Harm(rng, files[name], others)
    done = [harm.step() for _ in range(rng.choice((1, 1, 1, 1, 2, 3)))]
    if is_png(harm.content) and rng.random() < 0.7:  # so that what lies behind the sums is reached
        harm.content = with_sums(harm.content)
        done.append("with_sums")
    return {**files, name: bytes(harm.content)}, f"{name}: {', '.join(done)}"
