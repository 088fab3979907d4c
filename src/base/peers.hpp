// SPDX-License-Identifier: LGPL-3.0-or-later
// Services between the processes that work on a run together.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace sino {

// Function that computes something that depends only on the scan, for example the mean of darks and flats, in the
// process that asks first; the others wait and get the same bytes. Throws Cancelled. The function object is empty if a
// process works alone; callers then call `make` directly.
using Bytes = std::vector<std::byte>;
using MakeOnce = std::function<Bytes (const std::function<Bytes ()> &make)>;

} // namespace sino
