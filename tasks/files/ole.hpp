// SPDX-License-Identifier: LGPL-3.0-or-later
// Compound files (OLE2): streams in storages, like files in folders; sectors of a stream need not be consecutive. This
// class finds their positions in the file, so that any thread can read pixels from there.
#pragma once
#include "formats/descriptor.hpp"
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sino::files {

using namespace formats;

// A part of a stream that is contiguous in the file.
struct Extent {
  int64_t at;     // position in the stream
  int64_t offset; // position in the file
  int64_t bytes;
};

class OleFile
{
public:
  // Throws if the file is damaged. `title`: the file, for messages. The file must stay open as long as this object
  // exists.
  OleFile (const Descriptor &file, std::string title);

  // Bytes of a stream, such as "ImageInfo/Angles" (case is ignored); nothing if there is none.
  std::optional<int64_t> size (const std::string &path) const;
  // Positions of its first `bytes` bytes. Throws if they are not in the file.
  std::vector<Extent> places (const std::string &path, int64_t bytes);
  // Reads these bytes.
  std::vector<std::byte> read (const std::string &path, int64_t bytes);

private:
  struct Stream {
    uint32_t first; // its first sector
    int64_t size;
  };
  struct Entry;

  const Descriptor &file;
  const std::string title;
  const int64_t file_size;
  int64_t sector = 512;
  bool sizes_have_64_bits = false;
  std::vector<uint32_t> table_sectors; // sectors of the table of successors of sectors
  std::vector<std::byte> table_part;   // the part of the table that was used last
  size_t table_part_number = SIZE_MAX;
  std::unordered_map<std::string, Stream> streams;
  std::vector<Extent> small_sectors; // the stream with the small sectors
  std::vector<uint32_t> small_table;

  void find_table (const std::byte *head);
  void find_streams (uint32_t first);
  void load_small (const Stream &holder, uint32_t first_of_table);
  std::vector<Entry> directory (uint32_t first);

  int64_t sectors () const { return file_size / sector; }
  uint32_t following (uint32_t number);
  std::vector<Extent> chain (uint32_t first, int64_t bytes, const std::string &what);
  std::vector<Extent> small_chain (uint32_t first, int64_t bytes, const std::string &what) const;
  [[noreturn]] void fail_damaged (const std::string &what) const;
};

// Reads bytes of a stream, given the positions of its parts.
void read_places (const Descriptor &file, std::span<const Extent> places, void *to, size_t n, int64_t at);

} // namespace sino::files
