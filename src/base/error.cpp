// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"

namespace sino {

void fail (SinoError code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  std::string message = text_v (format, args);
  va_end (args);
  throw Error (code, message);
}

} // namespace sino
