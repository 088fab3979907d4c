// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "tasks/files/scan/scan.hpp"

namespace sino::files {

Scan open_scan (const Request &request);

} // namespace sino::files
