// SPDX-License-Identifier: LGPL-3.0-or-later
// Neighbourhood filters on the CPU.
#pragma once
#include "glue/workers/neighbour-worker.hpp"
#include <functional>

namespace sino {

// A line of the window: it begins reach.columns columns before `values` and ends as many after the last value; 1024
// bytes more can be read.
struct NearLine {
  const std::byte *values;
  bool marked; // result of lay () for this line
};

// Makes lines on the CPU, for one thread.
class SINO_VISIBLE LineMaker
{
public:
  virtual ~LineMaker ();
  // Copies a line into the window, in the form that make () needs; unchanged by default. Each line is copied once or a
  // few times, even if it is in many windows. Returns a mark for make ().
  virtual bool lay (const std::byte *from, int64_t bytes, std::byte *to);
  // Makes a line of the output. `window`: all frames in order, with all lines of each in order.
  virtual void make (std::span<const NearLine> window, int64_t values, std::byte *out) = 0;
};

// Makes a LineMaker for lines whose columns are `step` values apart.
using LineMakers = std::function<std::unique_ptr<LineMaker> (int64_t step)>;

// `makers` must be valid as long as the worker exists.
std::unique_ptr<Worker> native_neighbours (const Replica &replica, Reach reach, LineMakers makers);

// Memory for the lines that a thread prepares.
inline constexpr char window_item[] = "lines around one";
size_t window_bytes (Reach reach, int64_t width, int64_t step, size_t value_size);

} // namespace sino
