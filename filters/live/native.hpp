// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/live/easel.hpp"
#include "filters/live/planes.hpp"
#include "filters/live/resident.hpp"

namespace sino::live {

// `half`: half the padded length of rows, 0: they are not filtered. `pictures`: most of them.
void native_memory (const Keeping &keeping, int64_t half, size_t most_values, size_t pictures, int threads, Bill &bill);

std::unique_ptr<Easel> native_easel (const Keeping &keeping, std::shared_ptr<const ramp_filter::RowFilter> filter,
                                     const Cpu &cpu, Allotment &memory);

} // namespace sino::live
