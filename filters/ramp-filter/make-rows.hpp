// SPDX-License-Identifier: LGPL-3.0-or-later
// Rows are filtered in one launch, where the setting says so and transforms of our own have the length, else by clFFT.
#pragma once
#include "filters/ramp-filter/opencl-rows.hpp"
#include <memory>

namespace sino::ramp_filter {

// What is taken for blocks of so many rows, the lanes' padding included. Throws Error where rows are too long.
void rows_memory (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
                  int64_t rows, Bill &bill);
std::unique_ptr<OpenclRows> make_rows (const RowsSetup &setup);

} // namespace sino::ramp_filter
