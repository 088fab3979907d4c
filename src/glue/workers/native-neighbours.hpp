// SPDX-License-Identifier: LGPL-3.0-or-later
// Neighbourhood filters on the CPU.
#pragma once
#include "glue/workers/neighbour-worker.hpp"
#include <functional>

namespace sino {

// A line of the window: values from reach.columns columns before `values` to as many behind the last, and 1024 bytes
// more that can be read.
struct NearLine {
  const std::byte *values;
  bool marked; // what lay () said of it
};

// Makes lines on the CPU, for one thread.
class SINO_VISIBLE LineMaker
{
public:
  virtual ~LineMaker ();
  // Brings a line into the window, in the form that make () wants; as it is by default. Each line comes once or a few
  // times, however many windows it is in. Whether make () has to know something of it.
  virtual bool lay (const std::byte *from, int64_t bytes, std::byte *to);
  // A line of the output. The window's frames from the first to the last, lines from the first to the last in each.
  virtual void make (std::span<const NearLine> window, int64_t values, std::byte *out) = 0;
};

// For lines whose columns are `step` values apart.
using LineMakers = std::function<std::unique_ptr<LineMaker> (int64_t step)>;

// The worker needs `makers` as long as it lives.
std::unique_ptr<Worker> native_neighbours (const Replica &replica, Reach reach, LineMakers makers);

// The lines that a thread lays, and their bytes.
inline constexpr char window_item[] = "lines around one";
size_t window_bytes (Reach reach, int64_t width, int64_t step, size_t value_size);

} // namespace sino
