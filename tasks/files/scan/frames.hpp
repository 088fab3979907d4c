// SPDX-License-Identifier: LGPL-3.0-or-later
// Darks and flats in files.
#pragma once
#include "formats/stack.hpp"
#include "stream/frames.hpp"

namespace sino::files {

using namespace formats;

// Some pages of a stack, cut to some lines and columns. All numbers are ascending.
class StackFrames final : public Frames
{
public:
  StackFrames (std::shared_ptr<const Stack> stack, std::vector<int64_t> pages, std::vector<int64_t> lines,
               std::vector<int64_t> columns);
  Interval frames_with (int64_t frame) const override;
  Interval rows_with (int64_t row) const override;
  void read (Interval frames, Interval rows, void *pixels, const Watch &watch) const override;

private:
  std::shared_ptr<const Stack> stack;
  std::vector<int64_t> page_numbers, line_numbers, column_numbers;
};

// The frames of two sets, one after the other. Their element types must be equal.
class JoinedFrames final : public Frames
{
public:
  JoinedFrames (std::shared_ptr<const Frames> before, std::shared_ptr<const Frames> after);
  Interval frames_with (int64_t frame) const override;
  Interval rows_with (int64_t row) const override;
  void read (Interval frames, Interval rows, void *pixels, const Watch &watch) const override;

private:
  std::shared_ptr<const Frames> before, after;
};

} // namespace sino::files
