// SPDX-License-Identifier: LGPL-3.0-or-later
// Datasets with contiguous pixels: in the file, in raw files or HDF5 files beside it, in the header of the dataset, or
// never written.
#include "base/error.hpp"
#include "formats/raw.hpp"
#include "tasks/files/hdf5/stack.hpp"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <numeric>

namespace sino::files {

using namespace formats;

using hdf5::Layout;

namespace {

struct Origin {
  ReadAt read_at;
  std::function<void ()> before = {}; // called before each read: throws if the file has changed
  bool nowhere = false;               // whether the pixels were never written
};

class PlainStack final : public Stack
{
public:
  // `s`: place of the pixels; `h`: bytes of memory that this place holds.
  PlainStack (const Hdf5Dataset &dataset, Origin s, size_t h)
      : source (std::move (s)), stamps (stamps_of (dataset)), resident_ (h), samples (dataset.samples ())
  {
    set_extents (*this, dataset);
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    if (source.before)
      source.before ();
    const auto page_bytes = lines * columns * static_cast<int64_t> (stored_pixel);
    int64_t bytes = 0;
    for (const auto page : part.pages) {
      reading.check ();
      bytes += read_raw (source.read_at, {page * page_bytes, columns, samples}, part.lines, part.columns, out);
      out += part.lines.size () * part.columns.size () * pixel (*this);
    }
    reading.count (0, bytes);
  }

  std::vector<int64_t> unwritten () const override
  {
    std::vector<int64_t> all (source.nowhere ? static_cast<size_t> (pages) : 0);
    std::iota (all.begin (), all.end (), 0);
    return all;
  }
  std::vector<FileStamp> files () const override { return stamps; }
  size_t scratch (int) const override { return raw_scratch (columns, samples); }
  size_t resident () const override { return resident_; }

private:
  Origin source;
  std::vector<FileStamp> stamps;
  size_t resident_;
  Samples samples;
};

uint64_t total_bytes (const Hdf5Dataset &dataset)
{
  uint64_t bytes = size_of (dataset.samples ().type);
  for (const auto n : dataset.facts.extent)
    bytes *= n; // no overflow: check_extents () has checked them
  return bytes;
}

Origin in_file (const Hdf5Dataset &dataset)
{
  const auto file = std::make_shared<const Descriptor> (dataset.facts.storage, O_RDONLY);
  const auto stamp = file->stamp ();
  const auto size = static_cast<uint64_t> (stamp.size), begin = dataset.facts.offset, bytes = total_bytes (dataset);
  if (begin > size || size - begin < bytes)
    fail (SINO_ERROR_BAD_FILE,
          "%s is truncated: its %" G_GUINT64_FORMAT " bytes of pixels begin at byte %" G_GUINT64_FORMAT
          ", the file has %" G_GUINT64_FORMAT,
          dataset.title ().c_str (), bytes, begin, size);
  return {[file, begin] (void *to, size_t n, int64_t at) { file->read (to, n, static_cast<int64_t> (begin) + at); },
          [file, stamp] { file->require (stamp); }};
}

// A raw file, or a source of a virtual dataset. Missing pixels of a missing or short file are zeros.
struct RawFile {
  std::string path;
  int64_t offset, bytes; // range of the pixels
  FileStamp stamp;
  std::shared_ptr<const Descriptor> open = {}; // null: opened for each read
};

void read_raw_file (const RawFile &raw, std::byte *to, int64_t n, int64_t at)
{
  auto there = int64_t{0};
  if (!raw.path.empty ()) {
    const auto file = raw.open ? raw.open : std::make_shared<const Descriptor> (raw.path, O_RDONLY);
    file->require (raw.stamp);
    there = std::clamp<int64_t> (raw.stamp.size - raw.offset - at, 0, n);
    file->read (to, static_cast<size_t> (there), raw.offset + at);
  }
  std::memset (to + there, 0, static_cast<size_t> (n - there));
}

Origin in_raw_files (const Hdf5Dataset &dataset)
{
  const auto list = std::make_shared<std::vector<RawFile>> ();
  uint64_t covered = 0;
  const auto all = total_bytes (dataset);
  for (const auto &source : dataset.facts.sources) {
    if (source.bytes > all - covered || source.offset > INT64_MAX - source.bytes)
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: the sizes of its raw files are not valid", dataset.title ().c_str ());
    covered += source.bytes;
    RawFile raw{.path = source.path,
                .offset = static_cast<int64_t> (source.offset),
                .bytes = static_cast<int64_t> (source.bytes)};
    if (!raw.path.empty ())
      raw.stamp = Descriptor (raw.path, O_RDONLY).stamp ();
    list->push_back (raw);
  }
  if (covered < all)
    fail (SINO_ERROR_BAD_FILE,
          "%s is damaged: its raw files have room for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes",
          dataset.title ().c_str (), covered, all);
  const auto read_at = [list] (void *to, size_t n, int64_t at) {
    auto *p = static_cast<std::byte *> (to);
    auto left = static_cast<int64_t> (n);
    for (const auto &raw : *list) {
      const auto some = std::clamp<int64_t> (raw.bytes - at, 0, left);
      if (some > 0)
        read_raw_file (raw, p, some, at);
      p += some;
      left -= some;
      at = std::max<int64_t> (at - raw.bytes, 0);
    }
  };
  return {read_at};
}

// Images of a virtual dataset that are in turn those of its sources, such as 'write files=' makes.
Origin in_turn (const Hdf5Dataset &dataset)
{
  const auto &facts = dataset.facts;
  const auto n = facts.sources.size (), pages = static_cast<size_t> (facts.extent[0]);
  if (n == 0 || n > pages)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: it has %zu sources for %zu images", dataset.title ().c_str (), n, pages);
  constexpr size_t most_open = 64; // a process may have few files open
  const auto page_bytes = static_cast<int64_t> (total_bytes (dataset) / pages);
  const auto list = std::make_shared<std::vector<RawFile>> ();
  for (size_t i = 0; i < n; i++) {
    const auto &source = facts.sources[i];
    const auto file = std::make_shared<const Descriptor> (source.path, O_RDONLY);
    const auto stamp = file->stamp ();
    const auto size = static_cast<uint64_t> (stamp.size);
    const auto bytes = (pages - i + n - 1) / n * static_cast<uint64_t> (page_bytes);
    if (size != source.size)
      fail (SINO_ERROR_BAD_FILE, "'%s' was changed while %s was opened: start again when nothing writes it",
            source.path.c_str (), dataset.title ().c_str ());
    if (source.offset > size || size - source.offset < bytes)
      fail (SINO_ERROR_BAD_FILE,
            "'%s' is truncated: it lacks some of the images that %s takes from it; copy or write it again",
            source.path.c_str (), dataset.title ().c_str ());
    list->push_back ({source.path, static_cast<int64_t> (source.offset), static_cast<int64_t> (bytes), stamp,
                      n <= most_open ? file : nullptr});
  }
  // Only lines of one image are read at a time.
  const auto read_at = [list, page_bytes] (void *to, size_t size, int64_t at) {
    const auto page = at / page_bytes, files = std::ssize (*list);
    read_raw_file ((*list)[static_cast<size_t> (page % files)], static_cast<std::byte *> (to),
                   static_cast<int64_t> (size), page / files * page_bytes + at % page_bytes);
  };
  return {read_at};
}

Origin in_head (const Hdf5Dataset &dataset)
{
  if (dataset.facts.pixels.size () != total_bytes (dataset))
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: it has %zu bytes of pixels instead of %" G_GUINT64_FORMAT,
          dataset.title ().c_str (), dataset.facts.pixels.size (), total_bytes (dataset));
  const auto read_at = [pixels = dataset.facts.pixels] (void *to, size_t n, int64_t at) {
    std::memcpy (to, pixels.data () + at, n);
  };
  return {read_at};
}

// Returns the fill value in the byte order of the file, like other pixels.
Origin nowhere (const Hdf5Dataset &dataset)
{
  const auto size = size_of (dataset.samples ().type);
  const auto fill = [size, value = dataset.facts.fill, swapped = dataset.facts.swapped] (void *to, size_t n, int64_t) {
    auto *pixels = static_cast<std::byte *> (to);
    fill_pixels (pixels, n / size, size, value);
    if (swapped)
      swap_bytes (pixels, n / size, size);
  };
  return {fill, {}, true};
}

} // namespace

void fill_pixels (std::byte *to, size_t n, size_t pixel, uint64_t value)
{
  std::byte bytes[8];
  std::memcpy (bytes, &value, sizeof bytes);
  for (size_t i = 0; i < n; i++)
    std::memcpy (to + i * pixel, bytes, pixel);
}

std::shared_ptr<const Stack> plain_stack (const Hdf5Dataset &dataset)
{
  const auto &facts = dataset.facts;
  size_t resident_ = 0;
  Origin source;
  if (facts.layout == Layout::compact) {
    source = in_head (dataset);
    resident_ = facts.pixels.size ();
  } else if (facts.layout == Layout::external || facts.layout == Layout::assembled) {
    source = facts.layout == Layout::external ? in_raw_files (dataset) : in_turn (dataset);
    resident_ = facts.sources.size () * (sizeof (RawFile) + 256);
  } else if (facts.offset == hdf5::undefined)
    source = nowhere (dataset);
  else
    source = in_file (dataset);
  return std::make_shared<PlainStack> (dataset, std::move (source), resident_);
}

} // namespace sino::files
