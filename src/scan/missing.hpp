// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/error.hpp"

namespace sino::scan {

// Information that only the user has is missing, or wishes do not fit the scan.
struct SINO_VISIBLE Missing : Error {
  using Error::Error;
};

} // namespace sino::scan
