// SPDX-License-Identifier: LGPL-3.0-or-later
// The one exception type inside Sinograph. glue/boundary.hpp turns it into a GError at the C boundary.
#pragma once
#include "api/sino-error.h"
#include "base/text.hpp"
#include <stdexcept>
#include <string>

namespace sino {

struct SINO_VISIBLE Error : std::runtime_error {
  SinoError code;

  Error (SinoError c, const std::string &message) : std::runtime_error (message), code (c) {}
};

// Thrown by a wait when the run was cancelled. It unwinds the run's threads; no node's name is added to it.
struct SINO_VISIBLE Cancelled {
  std::string message = "the run was cancelled";
};

// Throws Error with a printf-style message.
[[noreturn]] SINO_VISIBLE void fail (SinoError code, const char *format, ...) G_GNUC_PRINTF (2, 3);

} // namespace sino
