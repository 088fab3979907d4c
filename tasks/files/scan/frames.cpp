// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/frames.hpp"
#include <algorithm>

namespace sino::files {

StackFrames::StackFrames (std::shared_ptr<const Stack> s, std::vector<int64_t> p, std::vector<int64_t> l,
                          std::vector<int64_t> c)
    : stack (std::move (s)), page_numbers (std::move (p)), line_numbers (std::move (l)), column_numbers (std::move (c))
{
  element = stack->element;
  top = stack->top;
  count = std::ssize (page_numbers);
  rows = std::ssize (line_numbers);
  columns = std::ssize (column_numbers);
  scratch_bytes = stack->scratch (1);
  const auto &unit = stack->unit;
  if (unit.stored > 0)
    unit_bytes = static_cast<size_t> (std::min (unit.pages, stack->pages) * std::min (unit.lines, stack->lines) *
                                      std::min (unit.columns, stack->columns)) *
                 pixel (*stack);
}

// The indices of the numbers that lie in the same unit as the number at index `place`.
static Interval sharing (const std::vector<int64_t> &numbers, int64_t place, int64_t extent)
{
  const auto number = numbers[static_cast<size_t> (place)], first = number - number % extent;
  const auto find = [&] (int64_t n) {
    return std::lower_bound (numbers.begin (), numbers.end (), n) - numbers.begin ();
  };
  return {find (first), find (first + extent)};
}

Interval StackFrames::frames_with (int64_t frame) const
{
  return unit_bytes == 0 ? Frames::frames_with (frame) : sharing (page_numbers, frame, stack->unit.pages);
}

Interval StackFrames::rows_with (int64_t row) const
{
  return unit_bytes == 0 ? Frames::rows_with (row) : sharing (line_numbers, row, stack->unit.lines);
}

void StackFrames::read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const
{
  const auto part = [] (Numbers numbers, Interval places) {
    return numbers.subspan (static_cast<size_t> (places.begin), static_cast<size_t> (places.size ()));
  };
  stack->read ({part (page_numbers, some), part (line_numbers, of_rows), column_numbers},
               static_cast<std::byte *> (pixels), {nullptr, watch.monitor, watch.counters});
}

JoinedFrames::JoinedFrames (std::shared_ptr<const Frames> b, std::shared_ptr<const Frames> a)
    : before (std::move (b)), after (std::move (a))
{
  element = before->element;
  top = std::min (before->top, after->top);
  count = before->count + after->count;
  rows = before->rows;
  columns = before->columns;
  unit_bytes = std::max (before->unit_bytes, after->unit_bytes);
  scratch_bytes = std::max (before->scratch_bytes, after->scratch_bytes);
}

Interval JoinedFrames::frames_with (int64_t frame) const
{
  if (frame < before->count)
    return before->frames_with (frame);
  const auto with = after->frames_with (frame - before->count);
  return {with.begin + before->count, with.end + before->count};
}

// The larger of the units that the two have here.
Interval JoinedFrames::rows_with (int64_t row) const
{
  const auto a = before->rows_with (row), b = after->rows_with (row);
  return a.size () < b.size () ? b : a;
}

void JoinedFrames::read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const
{
  const auto early = some.meet ({0, before->count}), late = some.meet ({before->count, count});
  auto *to = static_cast<std::byte *> (pixels);
  if (!early.empty ())
    before->read (early, of_rows, to, watch);
  to += static_cast<size_t> (early.size () * of_rows.size ()) * row_bytes ();
  if (!late.empty ())
    after->read ({late.begin - before->count, late.end - before->count}, of_rows, to, watch);
}

} // namespace sino::files
