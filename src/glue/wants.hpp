// SPDX-License-Identifier: LGPL-3.0-or-later
// Checks of input formats that many filters need; each throws if the check fails.
#pragma once
#include "glue/task.hpp"

namespace sino {

// Throws if an input has a kind or an element type that the task's Signature, or its port, does not contain. Without a
// Signature, all are accepted.
SINO_VISIBLE void check_taken (const Task &task, std::span<const Format *const> inputs);
// The format that the task gives for these inputs, after check_taken ().
SINO_VISIBLE Format negotiated (Task &task, std::span<const Format *const> inputs);
// Rows to which no ramp filter was applied.
SINO_VISIBLE void want_unfiltered (const Format &in);
// Frames, such as darks, of the size of the projections.
SINO_VISIBLE void want_size (const char *frames, int64_t rows, int64_t columns, const Format &in);
// The kind and the extents of another input; `port`: the name of the one that is checked.
SINO_VISIBLE void want_alike (const char *port, const Format &checked, const char *other_port, const Format &other);

} // namespace sino
