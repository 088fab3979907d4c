// SPDX-License-Identifier: LGPL-3.0-or-later
// PoCL ends the process where a file of its cache is damaged, as a full disk or a power failure leaves it.
#pragma once
#include <string>

namespace sino {

// Removes the programs whose files are not whole from PoCL's cache, so that it compiles them again.
void mend_pocl_cache ();

} // namespace sino
