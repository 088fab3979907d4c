// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

namespace sino {

// Up to this number of threads, a worker has one block at a time: there is little to wait for, and several blocks would
// compete for the caches.
constexpr int few_threads = 2;

} // namespace sino
