// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/gather.hpp"
#include <cstring>
#include <numeric>

namespace sino::move_pixels {

Indices in_order (int64_t first, int64_t count)
{
  Indices places (static_cast<size_t> (count));
  std::iota (places.begin (), places.end (), first);
  return places;
}

Gather::Gather (Element e, Extent f, Indices c, Indices rows)
    : Move (e, f, e, {std::ssize (c), std::ssize (rows)}), columns_from (std::move (c)), rows_from (std::move (rows))
{
  const auto &columns = columns_from;
  for (size_t i = 0; i < columns.size (); i++) {
    if (i > 0) {
      auto &run = runs.back ();
      const auto step = columns[i] - columns[i - 1];
      const bool zeros = columns[i] == nowhere, follows_zeros = columns[i - 1] == nowhere;
      const bool goes_on = zeros || follows_zeros ? zeros && follows_zeros : step >= -1 && step <= 1;
      if (goes_on && (run.count == 1 || run.step == step)) {
        run.step = step;
        run.count++;
        continue;
      }
    }
    runs.push_back ({columns[i], 1, 1});
  }
}

Rows Gather::needs (Rows rows) const
{
  Rows all;
  for (auto row = rows.begin; row < rows.end; row++)
    if (const auto from_row = rows_from[static_cast<size_t> (row)]; from_row != nowhere)
      all = all.cover ({from_row, from_row + 1});
  return all.empty () ? Rows{0, 1} : all;
}

// Copies pixels of Size bytes, or of `size` if Size is 0: the compiler optimises the usual sizes.
template <size_t Size>
static void copy_apart (const std::byte *from, int64_t step, std::byte *to, int64_t count, size_t size)
{
  const auto bytes = Size > 0 ? Size : size;
  for (int64_t i = 0; i < count; i++)
    std::memcpy (to + static_cast<size_t> (i) * bytes, from + i * step * static_cast<int64_t> (bytes), bytes);
}

static void copy_run (const std::byte *from, int64_t step, std::byte *to, int64_t count, size_t size)
{
  if (step == 1)
    std::memcpy (to, from, static_cast<size_t> (count) * size);
  else if (size == 1)
    copy_apart<1> (from, step, to, count, size);
  else if (size == 2)
    copy_apart<2> (from, step, to, count, size);
  else if (size == 4)
    copy_apart<4> (from, step, to, count, size);
  else
    copy_apart<0> (from, step, to, count, size);
}

void Gather::make (const Picture &in, int64_t, Rows rows, std::byte *out) const
{
  const auto pixel = static_cast<size_t> (in.lanes) * size_of (element), line = static_cast<size_t> (in.width) * pixel;
  for (auto row = rows.begin; row < rows.end; row++) {
    const auto from_row = rows_from[static_cast<size_t> (row)];
    const auto *values =
        from_row == nowhere ? nullptr : in.data + static_cast<size_t> (in.rows.place (from_row)) * line;
    for (const auto &run : runs) {
      const auto bytes = static_cast<size_t> (run.count) * pixel;
      if (values && run.from != nowhere)
        copy_run (values + static_cast<size_t> (run.from) * pixel, run.step, out, run.count, pixel);
      else
        std::memset (out, 0, bytes);
      out += bytes;
    }
  }
}

} // namespace sino::move_pixels
