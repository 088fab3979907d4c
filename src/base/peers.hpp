// SPDX-License-Identifier: LGPL-3.0-or-later
// What a task asks of the processes that work on a run together.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace sino {

// Makes something that depends on the scan alone, as darks and flats that become one, in the process that asks first;
// the others get the same bytes. Waits for that, and throws Cancelled. Empty where a process works alone: then it calls
// what makes it by itself.
using Bytes = std::vector<std::byte>;
using MakeOnce = std::function<Bytes (const std::function<Bytes ()> &make)>;

} // namespace sino
