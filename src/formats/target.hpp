// SPDX-License-Identifier: LGPL-3.0-or-later
// Destination of the pixels of a stream: pages of lines, as in a Stack. It gets pixels for one call, never a Block.
#pragma once
#include "device/cpu.hpp"
#include "formats/pattern.hpp"
#include "stream/slice-trials.hpp"

namespace sino::formats {

class Checksums;

// Compression of the pixels in a file; automatic: the default of the format.
enum class Compression : uint8_t { automatic, none, deflate, lz4, zstd };

// Unit of lengths in the scan; automatic: mm is assumed.
enum class Unit : uint8_t { automatic, m, cm, mm, um, nm };

// An incomplete file left by a killed run.
struct Unfinished {
  std::string path;
  uint64_t inode = 0;                 // number of the file; it stays the same when the file gets its final name
  int64_t first_pixel = 0;            // offset
  int64_t birth = 0;                  // birth_of () the file, because an inode may be reused for another file
  std::vector<Unfinished> parts = {}; // the files with its images, if they are spread over several: Planned::files
};

// The path of a file that holds some of the images of an output: "out-part0.h5" for "out.h5".
SINO_VISIBLE std::string name_of_part (const std::string &output, int number);

// Description of the output, known before any pixel is written.
struct Planned {
  Pattern pattern;
  Element element; // element type of the files
  Format format;   // format of the stream
  bool overwrite = false;
  bool mapped = false;             // values are mapped to integers
  std::optional<Scale> scale = {}; // what the grey values in the file stand for; none: the values themselves
  Compression compression = Compression::none;
  Unit unit = Unit::mm;
  int files = 1;                             // files beside the output that share its images; 1: they are in the output
  std::string provenance = {};               // JSON for the files to record
  const Cpu *cpu = nullptr;                  // threads of the run; set before it starts
  bool resumed = false;                      // continues an existing output, which it may replace
  std::optional<Unfinished> unfinished = {}; // the file under construction, for targets that have one
  std::vector<Interval> finished = {};       // rows of the stream that an earlier run has finished
  bool joined = false;                       // the existing output belongs to another process, which still works on it

  // The file of an image, by its index in the stream.
  std::string name (int64_t page) const
  {
    const auto number = format.axes[0].number (page);
    return pattern.valued () ? pattern.name_of_value (slice_trials (format).values[static_cast<size_t> (number)])
                             : pattern.name (number);
  }
  // With several files: image i is in file i % files, as its image i / files.
  bool spread () const { return files > 1; }
  std::string part_name (int number) const { return name_of_part (name (0), number); }
  int64_t pages_of_part (int number) const { return (pages () - number + files - 1) / files; }
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

  // Writes lines of a page, in the element type of the files. Any thread, any order, each line once.
  virtual void write (int64_t page, Interval lines, const std::byte *pixels) = 0;
  // Writes these lines of several pages, for targets that are faster with more at once.
  virtual void write_pages (Interval pages, Interval lines, const std::byte *pixels, int64_t page_bytes)
  {
    for (auto page = pages.begin; page < pages.end; page++, pixels += page_bytes)
      write (page, lines, pixels);
  }
  // Stores the checksums after all lines were written. False: there is no place for them.
  virtual bool keep (const Checksums &) { return false; }
  // Called after all lines were written. Gives the complete output its final name.
  virtual void finish () = 0;
  // Brings the written data and file names to the disk, so that they survive a crash of the machine.
  virtual void sync () {}
  // The file under construction, if there is one.
  virtual std::optional<Unfinished> unfinished () const { return {}; }
  // Makes the written data stay even if the run fails.
  virtual void outlive () {}
  // Called after all lines were written, if they are not wanted: removes everything, even after outlive ().
  virtual void discard () {}
};

} // namespace sino::formats
