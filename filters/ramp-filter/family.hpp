// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "filters/ramp-filter/opencl-rows.hpp"
#include <memory>

namespace sino::ramp_filter {

const families::Family &family ();

// Filters rows in one launch, if the setting says so and our own transforms support the length; else with clFFT.
std::unique_ptr<OpenclRows> make_rows (const RowsSetup &setup);
// Memory for blocks of `rows` rows, padding lanes included. Throws Error if rows are too long.
void rows_memory (const OpenclDevice &device, const families::Setting &setting, const families::Problem &problem,
                  int64_t rows, Bill &bill);

} // namespace sino::ramp_filter
