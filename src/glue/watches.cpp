// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/watches.hpp"

namespace sino {

LivePlanes::~LivePlanes () = default;
Watches::~Watches () = default;

} // namespace sino
