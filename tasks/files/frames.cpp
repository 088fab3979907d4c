// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/frames.hpp"

namespace sino::files {

StackFrames::StackFrames (std::shared_ptr<const Stack> s, std::vector<int64_t> l, std::vector<int64_t> c)
    : stack (std::move (s)), line_numbers (std::move (l)), column_numbers (std::move (c))
{
  element = stack->element;
  count = stack->pages;
  rows = std::ssize (line_numbers);
  columns = std::ssize (column_numbers);
  whole_frames = stack->unit.stored > 0 && stack->unit.lines >= stack->lines;
}

void StackFrames::read (int64_t frame, Interval some, void *pixels) const
{
  const auto lines =
      Numbers (line_numbers).subspan (static_cast<size_t> (some.begin), static_cast<size_t> (some.size ()));
  stack->read ({Numbers (&frame, 1), lines, column_numbers}, static_cast<std::byte *> (pixels), {});
}

JoinedFrames::JoinedFrames (std::shared_ptr<const Frames> b, std::shared_ptr<const Frames> a)
    : before (std::move (b)), after (std::move (a))
{
  element = before->element;
  count = before->count + after->count;
  rows = before->rows;
  columns = before->columns;
  whole_frames = before->whole_frames || after->whole_frames;
}

void JoinedFrames::read (int64_t frame, Interval some, void *pixels) const
{
  if (frame < before->count)
    before->read (frame, some, pixels);
  else
    after->read (frame - before->count, some, pixels);
}

} // namespace sino::files
