// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/frames.hpp"
#include <algorithm>
#include <numeric>

namespace sino::files {

StackFrames::StackFrames (std::shared_ptr<const Stack> s, std::vector<int64_t> l, std::vector<int64_t> c)
    : stack (std::move (s)), line_numbers (std::move (l)), column_numbers (std::move (c))
{
  element = stack->element;
  count = stack->pages;
  rows = std::ssize (line_numbers);
  columns = std::ssize (column_numbers);
  const auto &unit = stack->unit;
  if (unit.stored > 0)
    unit_bytes = static_cast<size_t> (std::min (unit.pages, stack->pages) * std::min (unit.lines, stack->lines) *
                                      std::min (unit.columns, stack->columns)) *
                 pixel (*stack);
}

Interval StackFrames::frames_with (int64_t frame) const
{
  if (unit_bytes == 0)
    return Frames::frames_with (frame);
  const auto first = frame - frame % stack->unit.pages;
  return {first, std::min (first + stack->unit.pages, count)};
}

Interval StackFrames::rows_with (int64_t row) const
{
  if (unit_bytes == 0)
    return Frames::rows_with (row);
  const auto line = line_numbers[static_cast<size_t> (row)], first = line - line % stack->unit.lines;
  const auto place = [&] (int64_t number) {
    return std::lower_bound (line_numbers.begin (), line_numbers.end (), number) - line_numbers.begin ();
  };
  return {place (first), place (first + stack->unit.lines)};
}

void StackFrames::read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const
{
  std::vector<int64_t> pages (static_cast<size_t> (some.size ()));
  std::iota (pages.begin (), pages.end (), some.begin);
  const auto lines =
      Numbers (line_numbers).subspan (static_cast<size_t> (of_rows.begin), static_cast<size_t> (of_rows.size ()));
  stack->read ({pages, lines, column_numbers}, static_cast<std::byte *> (pixels),
               {nullptr, watch.monitor, watch.counters});
}

JoinedFrames::JoinedFrames (std::shared_ptr<const Frames> b, std::shared_ptr<const Frames> a)
    : before (std::move (b)), after (std::move (a))
{
  element = before->element;
  count = before->count + after->count;
  rows = before->rows;
  columns = before->columns;
  unit_bytes = std::max (before->unit_bytes, after->unit_bytes);
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
