// SPDX-License-Identifier: LGPL-3.0-or-later
// Options that describe a scan.
#pragma once
#include "scan/chain.hpp"
#include <glib.h>

namespace sino::cli {

// The entries point into the wishes.
std::vector<GOptionEntry> scan_entries (scan::Wishes &wishes);

} // namespace sino::cli
