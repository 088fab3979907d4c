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

// Indices in the file, ascending.
using Numbers = std::span<const int64_t>;

struct Part {
  Numbers pages, lines, columns;

  size_t pixels () const { return pages.size () * lines.size () * columns.size (); }
};

// Treatment of missing parts of a scan. fail: an error; zero: pixels are zero; skip: these projections are left out.
enum class Missing { fail, zero, skip };

// Threads, monitor and counters for reading.
struct Reading {
  const Cpu *cpu = nullptr; // null: only this thread
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

// Largest number of pixels along an axis.
constexpr auto largest_extent = int64_t{1} << 22;

// Throws if the extents are zero or larger than a scan can have. This keeps data per page, line or column small and
// products of extents, pixels and bytes free of overflow. All sizes from files are checked here.
SINO_VISIBLE void check_extents (const std::string &title, Element element, int64_t pages, int64_t lines,
                                 int64_t columns);

class SINO_VISIBLE Stack
{
public:
  virtual ~Stack ();

  Element element = Element::u16;
  int64_t pages = 0, lines = 0, columns = 0;
  std::string name; // name of the file, for messages
  // For f32 values: greatest value of the integer type in the file (Format::top).
  float top = std::numeric_limits<float>::infinity ();
  size_t stored_pixel = 0; // bytes of a value in the file, if its type may differ there; 0: as `element`

  // The smallest part that can be read: a chunk, a compressed strip. `stored`: its average size in the file; 0 if any
  // pixel can be read by itself.
  struct Unit {
    int64_t pages = 1, lines = 1, columns = 1;
    double stored = 0;
  } unit;

  // Reads a part densely, usually into a block's memory, in this machine's byte order, each unit once. Any thread.
  virtual void read (const Part &part, std::byte *out, const Reading &reading) const = 0;

  // Pages that were not written completely, ascending; missing pixels have the fill value of the file.
  virtual std::vector<int64_t> unwritten () const { return {}; }

  // The files that it reads, as they were when opened.
  virtual std::vector<FileStamp> files () const { return {}; }

  // Bytes that one read () allocates with `threads` threads; bytes held while the stack is open.
  virtual size_t scratch (int threads) const = 0;
  virtual size_t resident () const = 0;

  // Number of pages, lines or columns (axis 0, 1, 2) that must be decoded to read some of them: all in the units that
  // they touch. The product over the axes is the cost of a part.
  double cost_along (int axis, Numbers numbers) const;
};

// Returns the next number, or none after the last.
using Next = std::function<std::optional<int64_t> ()>;

// Runs `strand` in as many threads as `reading` has, at most `most`; the threads share the numbers below n.
SINO_VISIBLE void share (int64_t n, int64_t most, const Reading &reading,
                         const std::function<void (const Next &next)> &strand);

// A page to read and its destination.
struct PageToRead {
  int64_t number;
  std::byte *out;
};

using NextPage = std::function<std::optional<PageToRead> ()>;

// The same for the pages of a part.
SINO_VISIBLE void share_pages (const Stack &stack, const Part &part, std::byte *out, const Reading &reading,
                               const std::function<void (const NextPage &next)> &strand);

// Bytes of one pixel.
inline size_t pixel (const Stack &stack)
{
  return size_of (stack.element);
}

// Index after the run of numbers that begins at index i and lies in one unit of `extent`.
inline size_t end_of_unit (Numbers numbers, size_t i, int64_t extent)
{
  const auto unit = numbers[i] / extent;
  while (i < numbers.size () && numbers[i] / extent == unit)
    i++;
  return i;
}

// Whether the numbers are consecutive.
inline bool consecutive (Numbers numbers)
{
  return numbers.empty () || numbers.back () - numbers.front () + 1 == static_cast<int64_t> (numbers.size ());
}

// Index after the run of consecutive numbers that begins at index i.
inline size_t end_of_run (Numbers numbers, size_t i)
{
  do
    i++;
  while (i < numbers.size () && numbers[i] == numbers[i - 1] + 1);
  return i;
}

// Copies the pixels `columns` of a line that starts at column `first`.
SINO_VISIBLE void gather (const std::byte *line, int64_t first, Numbers columns, size_t pixel, std::byte *out);

// Reverses the bytes of each value.
SINO_VISIBLE void swap_bytes (std::byte *values, size_t n, size_t pixel);

} // namespace sino::formats
