// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstdarg>
#include <string>

namespace sino {

// vsprintf for messages. '%s' and =%s are words from outside; they are escaped for display (base/shown.hpp). Other %s
// are the program's own words. Does not support %n and long double.
std::string print_message (const char *format, va_list args);

} // namespace sino
