// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/stack.hpp"
#include "base/error.hpp"
#include <atomic>
#include <cstring>

namespace sino::formats {

Stack::~Stack () = default;

void check_extents (const std::string &title, Element element, int64_t pages, int64_t lines, int64_t columns)
{
  if (pages < 1 || lines < 1 || columns < 1)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
          " pixels: this is too small for an image",
          title.c_str (), pages, lines, columns);
  if (pages > largest_extent || lines > largest_extent || columns > largest_extent)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " pixels: at most %" G_GINT64_FORMAT
          " along an axis work",
          title.c_str (), pages, lines, columns, largest_extent);
  const auto bytes =
      static_cast<double> (pages) * static_cast<double> (lines * columns) * static_cast<double> (size_of (element));
  if (bytes > 0x1p60)
    fail (SINO_ERROR_BAD_FILE, "%s claims to contain %s: no file is so large", title.c_str (),
          bytes_text (bytes).c_str ());
}

void share (int64_t n, int64_t most, const Reading &reading, const std::function<void (const Next &next)> &strand)
{
  std::atomic<int64_t> taken = 0;
  const Next next = [&] () -> std::optional<int64_t> {
    const auto i = taken++;
    if (i >= n)
      return std::nullopt;
    reading.check ();
    return i;
  };
  const auto run = [&] (int64_t begin, int64_t end) {
    for (; begin < end; begin++)
      strand (next);
  };
  if (reading.cpu)
    reading.cpu->parallel (std::min (n, most), 1, run);
  else
    run (0, 1);
}

void share_pages (const Stack &stack, const Part &part, std::byte *out, const Reading &reading,
                  const std::function<void (const NextPage &next)> &strand)
{
  const auto page_bytes = part.lines.size () * part.columns.size () * pixel (stack);
  share (std::ssize (part.pages), reading.cpu ? reading.cpu->threads () : 1, reading, [&] (const Next &next) {
    strand ([&] () -> std::optional<PageToRead> {
      const auto i = next ();
      if (!i)
        return std::nullopt;
      const auto place = static_cast<size_t> (*i);
      return PageToRead{part.pages[place], out + place * page_bytes};
    });
  });
}

// Number of different units of `extent` that the numbers touch.
static int64_t touched (Numbers numbers, int64_t extent)
{
  if (extent == 1 || numbers.empty ())
    return std::ssize (numbers);
  if (consecutive (numbers))
    return numbers.back () / extent - numbers.front () / extent + 1;
  int64_t n = 0;
  for (size_t i = 0; i < numbers.size (); i = end_of_unit (numbers, i, extent))
    n++;
  return n;
}

double Stack::cost_along (int axis, Numbers numbers) const
{
  if (unit.stored == 0)
    return static_cast<double> (numbers.size ());
  const int64_t parts[] = {unit.pages, unit.lines, unit.columns}, extents[] = {pages, lines, columns};
  return static_cast<double> (std::min (touched (numbers, parts[axis]) * parts[axis], extents[axis]));
}

template <class T> static void pick (const std::byte *line, int64_t first, Numbers columns, std::byte *out)
{
  for (size_t i = 0; i < columns.size (); i++)
    std::memcpy (out + i * sizeof (T), line + static_cast<size_t> (columns[i] - first) * sizeof (T), sizeof (T));
}

void gather (const std::byte *line, int64_t first, Numbers columns, size_t pixel, std::byte *out)
{
  if (consecutive (columns))
    std::memcpy (out, line + static_cast<size_t> (columns.front () - first) * pixel, columns.size () * pixel);
  else if (pixel == 1)
    pick<uint8_t> (line, first, columns, out);
  else if (pixel == 2)
    pick<uint16_t> (line, first, columns, out);
  else
    pick<uint32_t> (line, first, columns, out);
}

template <class T, class Turn> static void turn (std::byte *values, size_t n, Turn turned)
{
  for (size_t i = 0; i < n; i++) {
    T value;
    std::memcpy (&value, values + i * sizeof (T), sizeof (T));
    value = turned (value);
    std::memcpy (values + i * sizeof (T), &value, sizeof (T));
  }
}

void swap_bytes (std::byte *values, size_t n, size_t pixel)
{
  if (pixel == 2)
    turn<uint16_t> (values, n, [] (uint16_t v) { return __builtin_bswap16 (v); });
  else if (pixel == 4)
    turn<uint32_t> (values, n, [] (uint32_t v) { return __builtin_bswap32 (v); });
  else if (pixel == 8)
    turn<uint64_t> (values, n, [] (uint64_t v) { return __builtin_bswap64 (v); });
}

} // namespace sino::formats
