// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// With so many threads a worker has one block at a time: they have little to wait for, and would share their caches
// between blocks.
constexpr int few_threads = 2;

} // namespace sino
