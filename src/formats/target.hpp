// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the pixels of a stream go: pages of lines, as in a Stack.
#pragma once
#include "device/cpu.hpp"
#include "formats/pattern.hpp"
#include "stream/slice-axes.hpp"

namespace sino::formats {

class Checksums;

// How the pixels of a file are packed; automatic: as the format does by itself.
enum class Compression : uint8_t { automatic, none, deflate, lz4, zstd };

// The unit of the scan's lengths; automatic: taken to be mm.
enum class Unit : uint8_t { automatic, m, cm, mm, um, nm };

// A file under construction that a run has left which was killed.
struct Unfinished {
  std::string path;
  uint64_t inode = 0;      // of the file, also where it has its final name already
  int64_t first_pixel = 0; // offset
  int64_t birth = 0;       // birth_of () it, as inodes are given to other files once theirs are gone
};

// What is to be written, known before any pixel is.
struct Planned {
  Pattern pattern;
  Element element; // element of the files
  Format format;   // format of the stream
  bool overwrite = false;
  bool mapped = false; // values are not those of the stream, but mapped to integers
  Compression compression = Compression::none;
  Unit unit = Unit::mm;
  std::string provenance = {};               // JSON
  const Cpu *cpu = nullptr;                  // threads of the run, there when it starts
  bool resumed = false;                      // goes on with what is there, which it may replace
  std::optional<Unfinished> unfinished = {}; // of it, for a target that has a file under construction
  std::vector<Interval> finished = {};       // rows of the stream that are there since an earlier run
  bool joined = false;                       // what is there belongs to another process that is at work with it

  // The file of an image, by its place in the stream.
  std::string name (int64_t page) const
  {
    const auto number = format.axes[0].number (page);
    return pattern.valued () ? pattern.name_of_value (slice_axes (format)[static_cast<size_t> (number)])
                             : pattern.name (number);
  }
  int64_t pages () const { return format.axes[0].extent; }
  int64_t lines () const { return format.axes[1].extent; }
  int64_t columns () const { return format.axes[2].extent; }
  int64_t line_bytes () const { return columns () * static_cast<int64_t> (size_of (element)); }
  int64_t page_bytes () const { return lines () * line_bytes (); }
};

class SINO_VISIBLE Target
{
public:
  virtual ~Target () = default;

  // Lines of a page in the element type of the files. Any thread, any order, each line once.
  virtual void write (int64_t page, Interval lines, const std::byte *pixels) = 0;
  // The same for these lines of several pages, for targets that do better with more at once.
  virtual void write_pages (Interval pages, Interval lines, const std::byte *pixels, int64_t page_bytes)
  {
    for (auto page = pages.begin; page < pages.end; page++, pixels += page_bytes)
      write (page, lines, pixels);
  }
  // All lines have been written, and these are their checksums. False: it has no place for them.
  virtual bool keep (const Checksums &) { return false; }
  // All lines have been written. What is complete gets its final name.
  virtual void finish () = 0;
  // Brings what was written to the disk, names of files included, so that it outlives the machine.
  virtual void sync () {}
  // The file under construction, if there is one.
  virtual std::optional<Unfinished> unfinished () const { return {}; }
  // From now on what was written stays, whatever ends the run.
  virtual void outlive () {}
  // All lines have been written and are not wanted: nothing of them stays, whether they were to outlive this or not.
  virtual void discard () {}
};

} // namespace sino::formats
