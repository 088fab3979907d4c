// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/frames.hpp"
#include <functional>

namespace sino {

Frames::~Frames () = default;

Interval Frames::frames_with (int64_t frame) const
{
  return {frame, frame + 1};
}

Interval Frames::rows_with (int64_t row) const
{
  return {row, row + 1};
}

// Cuts [0, n) at the ends of units. A piece has as many whole units as fit in `few`, but at least one; a unit larger
// than `many` is cut into pieces of `many`.
static std::vector<Interval> cut (int64_t n, int64_t few, int64_t many, const std::function<Interval (int64_t)> &unit)
{
  std::vector<Interval> list;
  for (int64_t begin = 0; begin < n;) {
    auto end = unit (begin).end;
    for (auto next = end; next < n && (next = unit (next).end) - begin <= few;)
      end = next;
    list.push_back ({begin, std::min (end, begin + many)});
    begin = list.back ().end;
  }
  return list;
}

static int64_t longest (const std::vector<Interval> &list)
{
  int64_t most = 0;
  for (const auto &interval : list)
    most = std::max (most, interval.size ());
  return most;
}

int64_t Pieces::most_rows () const
{
  return longest (rows);
}

Pieces pieces_of (const Frames &frames, bool all_frames, size_t enough)
{
  constexpr size_t largest = size_t{256} << 20;
  const auto most = std::max ({enough, largest, frames.unit_bytes});
  const auto fit = [] (size_t bytes, size_t one) {
    return std::max<int64_t> (static_cast<int64_t> (bytes / std::max<size_t> (one, 1)), 1);
  };
  Pieces pieces;
  if (all_frames)
    pieces.frames = {{0, frames.count}};
  else
    pieces.frames = cut (frames.count, 1, fit (most, frames.row_bytes ()),
                         [&] (int64_t frame) { return frames.frames_with (frame); });
  const auto row = static_cast<size_t> (longest (pieces.frames)) * frames.row_bytes ();
  pieces.rows =
      cut (frames.rows, fit (enough, row), fit (most, row), [&] (int64_t first) { return frames.rows_with (first); });
  pieces.bytes = static_cast<size_t> (pieces.most_rows ()) * row;
  return pieces;
}

} // namespace sino
