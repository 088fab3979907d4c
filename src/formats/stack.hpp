// SPDX-License-Identifier: LGPL-3.0-or-later
// A three-dimensional array in files: pages of lines of pixels. Projections are (angle, row, column), sinograms
// (row, angle, column), slices (z, y, x).
#pragma once
#include "base/counters.hpp"
#include "base/files/input-file.hpp"
#include "base/monitor.hpp"
#include "device/cpu.hpp"
#include "stream/element.hpp"
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace sino::formats {

// Numbers in the file, rising.
using Numbers = std::span<const int64_t>;

struct Part {
  Numbers pages, lines, columns;

  size_t pixels () const { return pages.size () * lines.size () * columns.size (); }
};

// What to do where a part of a scan is missing: refuse the scan, take zeros, leave the projections out.
enum class Missing { fail, zero, skip };

// What reading may use, and whom it tells.
struct Reading {
  const Cpu *cpu = nullptr; // null: this thread alone
  const Monitor *monitor = nullptr;
  Counters *counters = nullptr;

  void check () const
  {
    if (monitor)
      monitor->check ();
  }
  void count (int64_t units, int64_t bytes) const
  {
    if (!counters)
      return;
    if (units > 0)
      counters->add ("chunks", units);
    counters->add ("bytes-read", bytes);
  }
};

// Pixels along an axis at most.
constexpr auto largest_extent = int64_t{1} << 22;

// Throws when there is more than a scan can have, so that what is kept per page, line or column stays small, and no
// product of extents, pixels and bytes overflows; and when there is nothing. All that a file says of its size goes
// here.
SINO_VISIBLE void check_extents (const std::string &title, Element element, int64_t pages, int64_t lines,
                                 int64_t columns);

class SINO_VISIBLE Stack
{
public:
  virtual ~Stack ();

  Element element = Element::u16;
  int64_t pages = 0, lines = 0, columns = 0;
  std::string name;                                    // name of the file, for messages
  float top = std::numeric_limits<float>::infinity (); // what Format::top says
  size_t stored_pixel = 0; // bytes of a value in the file, where it may have another type there; 0: those of `element`

  // What can only be read whole: a chunk, a compressed strip. `stored` is what one takes in the file on average; 0 when
  // any pixel can be read by itself.
  struct Unit {
    int64_t pages = 1, lines = 1, columns = 1;
    double stored = 0;
  } unit;

  // Reads a part densely, each unit that it touches once, in the byte order of this machine. Any thread.
  virtual void read (const Part &part, std::byte *out, const Reading &reading) const = 0;

  // Pages of which something was never written, rising: there the values are those that the file has for that.
  virtual std::vector<int64_t> unwritten () const { return {}; }

  // The files that it reads, as they were when it was opened.
  virtual std::vector<FileStamp> files () const { return {}; }

  // Bytes that one read () allocates with so many threads; bytes held while open.
  virtual size_t scratch (int threads) const = 0;
  virtual size_t resident () const = 0;

  // Pages, lines or columns (axis 0, 1, 2) that must be read for some of them: the units that they touch, decoded, as
  // that is the work. The product over the axes is what a part costs.
  double cost_along (int axis, Numbers numbers) const;
};

// A page to read, and where it goes.
struct PageToRead {
  int64_t number;
  std::byte *out;
};

// Gives the next page of the part, or none after the last.
using NextPage = std::function<std::optional<PageToRead> ()>;

// Runs `strand` in as many threads as `reading` has, which share the pages of the part.
SINO_VISIBLE void share_pages (const Stack &stack, const Part &part, std::byte *out, const Reading &reading,
                               const std::function<void (const NextPage &next)> &strand);

// Bytes of one pixel.
inline size_t pixel (const Stack &stack)
{
  return size_of (stack.element);
}

// How many different parts of `extent` the numbers touch.
SINO_VISIBLE int64_t touched (Numbers numbers, int64_t extent);

// Whether each number follows the one before.
inline bool consecutive (Numbers numbers)
{
  return numbers.empty () || numbers.back () - numbers.front () + 1 == static_cast<int64_t> (numbers.size ());
}

// Copies the pixels `columns` of a line that starts at column `first`.
SINO_VISIBLE void gather (const std::byte *line, int64_t first, Numbers columns, size_t pixel, std::byte *out);

// Turns the bytes of each value round.
SINO_VISIBLE void swap_bytes (std::byte *values, size_t n, size_t pixel);

} // namespace sino::formats
