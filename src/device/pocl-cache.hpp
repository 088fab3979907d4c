// SPDX-License-Identifier: LGPL-3.0-or-later
// Repairs PoCL's cache. PoCL ends the process if a file of its cache is damaged, for example by a full disk or a power
// failure.
#pragma once

namespace sino {

// Removes programs with incomplete files from PoCL's cache, so that it compiles them again.
void mend_pocl_cache ();

} // namespace sino
