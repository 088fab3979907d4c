// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the pixels of a stream go: pages of lines, as in a Stack.
#pragma once
#include "files/pattern.hpp"
#include "glue/task.hpp"

namespace sino::files {

// What is to be written, known before any pixel is.
struct Planned {
  Pattern pattern;
  Element element; // of the files
  Format format;   // of the stream
  bool overwrite = false;
  bool mapped = false;    // values are not those of the stream, but mapped to integers
  std::string provenance; // JSON

  int64_t pages () const { return format.axes[0].extent; }
  int64_t lines () const { return format.axes[1].extent; }
  int64_t columns () const { return format.axes[2].extent; }
  int64_t line_bytes () const { return columns () * static_cast<int64_t> (size_of (element)); }
  int64_t page_bytes () const { return lines () * line_bytes (); }
};

class Target
{
public:
  virtual ~Target ();

  // Lines of a page in the element type of the files. Any thread, any order, each line once.
  virtual void write (int64_t page, Interval lines, const std::byte *pixels) = 0;
  // All lines have been written.
  virtual void finish () = 0;
};

enum class Kept { sequence, pages, hdf5 };

// By the name: a TIFF for each page, one TIFF for all, or HDF5. Throws when it is none of them.
Kept kept_as (const std::string &path, const Pattern &pattern);

// The files that will be written.
std::vector<std::string> output_paths (const Planned &planned);

// A TIFF for each page, named by the page's number in the scan; each is there when its page is complete.
std::unique_ptr<Target> tiff_sequence (const Planned &planned);
// One TIFF with a page after the other; BigTIFF where 4 GiB do not suffice.
std::unique_ptr<Target> tiff_pages (const Planned &planned);
// One HDF5 file with /exchange/data and what belongs to it.
std::unique_ptr<Target> hdf5_file (const Planned &planned, const Frames::Watch &watch);

// Bytes that the last one holds, and allocates to copy companions.
constexpr size_t hdf5_bytes = size_t{3} << 20;
size_t companion_scratch (const Format &format);

} // namespace sino::files
