// SPDX-License-Identifier: LGPL-3.0-or-later
// TV in three dimensions, by windows of slices. A slice is told of another one by one iteration for each slice between
// them, and hardly at all across several. So a window is solved with a few more slices on both sides, of which the
// results are dropped. Windows are counted from the first row of the stream, so that a slice does not depend on the
// division of the work.
#pragma once
#include "filters/iterative-reconstruct/problem.hpp"
#include "glue/task.hpp"

namespace sino::iterative_reconstruct {

constexpr int64_t window_slices = 32, window_halo = 8;

// Rows that are needed for `wanted` of a stream with `rows` rows: those of whole windows.
Rows rows_of_windows (const Rows &wanted, int64_t rows);
// Slices that are solved together, at most; and those of all windows of a stream.
int64_t window_size (int64_t rows);
int64_t slices_of_windows (int64_t rows);

// The problem is stored in the task.
std::unique_ptr<Worker> windows_worker (const Replica &replica, const Problem &problem);

} // namespace sino::iterative_reconstruct
