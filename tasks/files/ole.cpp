// SPDX-License-Identifier: LGPL-3.0-or-later
// Follows "[MS-CFB]: Compound File Binary File Format" (Microsoft). The file may be damaged: every sector is checked to
// lie within the file, and no chain is followed for more steps than the file has sectors.
#include "tasks/files/ole.hpp"
#include "base/cancellation.hpp"
#include "base/divide-up.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/page-files.hpp"

namespace sino::files {

namespace {

constexpr uint32_t last_sector = 0xfffffffa; // greater numbers are marks, for example the end of a chain
constexpr uint32_t nothing = 0xffffffff;
constexpr size_t ole_head_bytes = 512, entry_bytes = 128, table_in_head = 109;
constexpr int64_t small_sector = 64, small_limit = 4096; // shorter streams are in small sectors
constexpr size_t most_entries = size_t{1} << 18;
constexpr bool ole_swapped = std::endian::native == std::endian::big;

uint32_t word (const std::byte *bytes, size_t at)
{
  return number_at<uint32_t> (bytes, at, ole_swapped);
}

uint16_t half_word (const std::byte *bytes, size_t at)
{
  return number_at<uint16_t> (bytes, at, ole_swapped);
}

void append (std::vector<Extent> &list, int64_t offset, int64_t bytes)
{
  if (!list.empty () && list.back ().offset + list.back ().bytes == offset)
    list.back ().bytes += bytes;
  else
    list.push_back ({list.empty () ? 0 : list.back ().at + list.back ().bytes, offset, bytes});
}

} // namespace

// A storage or a stream; the entries of a storage form a binary tree.
struct OleFile::Entry {
  enum Kind : uint8_t { unused = 0, storage = 1, stream = 2, root = 5 };
  std::string name;
  uint8_t kind;
  uint32_t left, right, child;
  Stream content;
};

OleFile::OleFile (const Descriptor &f, std::string t) : file (f), title (std::move (t)), file_size (f.size ())
{
  std::byte head[ole_head_bytes];
  file.read (head, sizeof head, 0);
  const int order = half_word (head, 28), shift = half_word (head, 30), small_shift = half_word (head, 32);
  if (order != 0xfffe)
    fail_damaged (text ("its header gives the byte order as %04x, but it must be fffe", order));
  if ((shift != 9 && shift != 12) || small_shift != 6 || word (head, 56) != small_limit)
    fail_damaged (
        text ("its header describes sectors of 2^%d bytes, and of 2^%d up to %u", shift, small_shift, word (head, 56)));
  sector = int64_t{1} << shift;
  sizes_have_64_bits = shift == 12;
  find_table (head);
  const auto first_directory = word (head, 48), first_small = word (head, 60);
  find_streams (first_directory);
  load_small (streams.at (""), first_small);
}

// The header lists the first sectors of the table, the rest is listed in separate sectors.
void OleFile::find_table (const std::byte *head)
{
  const auto add = [&] (uint32_t number) {
    if (number <= last_sector)
      table_sectors.push_back (number);
  };
  for (size_t i = 0; i < table_in_head; i++)
    add (word (head, 76 + 4 * i));
  const auto per_sector = static_cast<size_t> (sector) / 4;
  std::vector<std::byte> bytes (static_cast<size_t> (sector));
  int64_t walked = 0;
  for (auto next = word (head, 68); next <= last_sector; next = word (bytes.data (), 4 * (per_sector - 1))) {
    if (walked++ > sectors () / static_cast<int64_t> (per_sector))
      fail_damaged ("its table of sectors contains a loop");
    file.read (bytes.data (), bytes.size (), (int64_t{next} + 1) * sector);
    for (size_t i = 0; i + 1 < per_sector; i++)
      add (word (bytes.data (), 4 * i));
  }
}

uint32_t OleFile::following (uint32_t number)
{
  const auto per_sector = static_cast<size_t> (sector) / 4, part = number / per_sector;
  if (part >= table_sectors.size ())
    fail_damaged (text ("the table does not say which sector follows sector %u", number));
  if (part != table_part_number) {
    table_part_number = SIZE_MAX; // invalid while it is read
    table_part.resize (static_cast<size_t> (sector));
    file.read (table_part.data (), table_part.size (), (int64_t{table_sectors[part]} + 1) * sector);
    table_part_number = part;
  }
  return word (table_part.data (), 4 * (number % per_sector));
}

std::vector<Extent> OleFile::chain (uint32_t first, int64_t bytes, const std::string &what)
{
  if (bytes > file_size)
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated or damaged: %s has %" G_GINT64_FORMAT " bytes, the file %" G_GINT64_FORMAT, title.c_str (),
          what.c_str (), bytes, file_size);
  std::vector<Extent> list;
  auto number = first;
  for (int64_t at = 0; at < bytes; at += sector) {
    if (at > 0)
      number = following (number);
    if (number > last_sector)
      fail_damaged (what + text (" ends after %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " bytes", at, bytes));
    const auto offset = (int64_t{number} + 1) * sector, some = std::min (sector, bytes - at);
    if (offset + some > file_size)
      fail (SINO_ERROR_BAD_FILE,
            "%s is truncated: %s is at byte %" G_GINT64_FORMAT ", too, and the file has %" G_GINT64_FORMAT,
            title.c_str (), what.c_str (), offset, file_size);
    append (list, offset, some);
  }
  return list;
}

std::vector<OleFile::Entry> OleFile::directory (uint32_t first)
{
  std::vector<Entry> list;
  std::vector<std::byte> bytes (static_cast<size_t> (sector));
  int64_t walked = 0;
  for (auto number = first; number <= last_sector; number = following (number)) {
    step_unless_cancelled ();
    if (walked++ > sectors ())
      fail_damaged ("its directory contains a loop");
    file.read (bytes.data (), bytes.size (), (int64_t{number} + 1) * sector);
    for (size_t at = 0; at < bytes.size (); at += entry_bytes) {
      const auto *one = bytes.data () + at;
      Entry entry{};
      const auto letters = std::clamp<size_t> (half_word (one, 64) / 2, 1, 32) - 1;
      for (size_t i = 0; i < letters; i++) {
        const auto letter = half_word (one, 2 * i);
        entry.name += letter < 128 ? static_cast<char> (letter) : '?';
      }
      entry.kind = static_cast<uint8_t> (one[66]);
      entry.left = word (one, 68);
      entry.right = word (one, 72);
      entry.child = word (one, 76);
      const auto high = sizes_have_64_bits ? word (one, 124) & 0x7fffffff : 0;
      entry.content = {word (one, 116), (int64_t{high} << 32) + word (one, 120)};
      list.push_back (std::move (entry));
    }
    if (list.size () > most_entries)
      fail (SINO_ERROR_BAD_FILE, "%s has more than %zu streams: export it in parts", title.c_str (), most_entries);
  }
  return list;
}

// Entry 0 is the root; its stream, named "" here, contains the small sectors.
void OleFile::find_streams (uint32_t first)
{
  const auto entries = directory (first);
  if (entries.empty () || entries[0].kind != Entry::root)
    fail_damaged ("its directory has no root");
  streams[""] = entries[0].content;
  struct Place {
    uint32_t number;
    std::string folder;
  };
  std::vector<bool> seen (entries.size ());
  std::vector<Place> places{{entries[0].child, ""}};
  while (!places.empty ()) {
    const auto [number, folder] = std::move (places.back ());
    places.pop_back ();
    if (number == nothing)
      continue;
    if (number >= entries.size () || seen[number])
      fail_damaged ("its directory is not a tree");
    seen[number] = true;
    const auto &entry = entries[number];
    const auto path = folder + lower_case (entry.name);
    if (entry.kind == Entry::stream)
      streams[path] = entry.content;
    places.push_back ({entry.left, folder});
    places.push_back ({entry.right, folder});
    if (entry.kind == Entry::storage)
      places.push_back ({entry.child, path + "/"});
  }
}

void OleFile::load_small (const Stream &holder, uint32_t first_of_table)
{
  if (holder.size == 0)
    return;
  small_sectors = chain (holder.first, holder.size, "the storage of its small streams");
  const auto bytes = 4 * divide_up (holder.size, small_sector);
  const auto places = chain (first_of_table, bytes, "the table of its small streams");
  std::vector<std::byte> table (static_cast<size_t> (bytes));
  read_places (file, places, table.data (), table.size (), 0);
  for (size_t at = 0; at < table.size (); at += 4)
    small_table.push_back (word (table.data (), at));
}

std::vector<Extent> OleFile::small_chain (uint32_t first, int64_t bytes, const std::string &what) const
{
  std::vector<Extent> list;
  auto number = first;
  for (int64_t at = 0; at < bytes; at += small_sector) {
    if (at > 0)
      number = small_table[number];
    if (number >= small_table.size ())
      fail_damaged (what + text (" ends after %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " bytes", at, bytes));
    // A small sector lies in one sector, and so in one extent; only the last one may be incomplete.
    const auto place = number * small_sector, some = std::min (small_sector, bytes - at);
    const auto part = std::prev (std::ranges::upper_bound (small_sectors, place, {}, &Extent::at));
    if (place - part->at + some > part->bytes)
      fail_damaged (what + " ends after its storage");
    append (list, part->offset + place - part->at, some);
  }
  return list;
}

std::optional<int64_t> OleFile::size (const std::string &path) const
{
  const auto found = streams.find (lower_case (path));
  return found == streams.end () ? std::nullopt : std::optional (found->second.size);
}

std::vector<Extent> OleFile::places (const std::string &path, int64_t bytes)
{
  const auto found = streams.find (lower_case (path));
  if (found == streams.end ())
    fail_damaged ("it has no " + path);
  const auto &stream = found->second;
  if (stream.size < bytes)
    fail_damaged (path + text (" has %" G_GINT64_FORMAT " bytes, %" G_GINT64_FORMAT " are needed", stream.size, bytes));
  return stream.size < small_limit ? small_chain (stream.first, bytes, path) : chain (stream.first, bytes, path);
}

std::vector<std::byte> OleFile::read (const std::string &path, int64_t bytes)
{
  const auto list = places (path, bytes);
  std::vector<std::byte> out (static_cast<size_t> (bytes));
  read_places (file, list, out.data (), out.size (), 0);
  return out;
}

void OleFile::fail_damaged (const std::string &what) const
{
  fail (SINO_ERROR_BAD_FILE, "%s is damaged: %s", title.c_str (), what.c_str ());
}

void read_places (const Descriptor &file, std::span<const Extent> places, void *to, size_t n, int64_t at)
{
  auto part = std::prev (std::ranges::upper_bound (places, at, {}, &Extent::at));
  auto *out = static_cast<std::byte *> (to);
  for (; n > 0; part++) {
    const auto skipped = at - part->at;
    const auto some = std::min (n, static_cast<size_t> (part->bytes - skipped));
    file.read (out, some, part->offset + skipped);
    out += some;
    at += static_cast<int64_t> (some);
    n -= some;
  }
}

} // namespace sino::files
