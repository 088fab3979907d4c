// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include <cstdarg>
#include <string>

namespace sino {

// vsprintf for messages: '%s' and =%s are words from outside there, and become what people may see of them
// (base/shown.hpp). %s elsewhere are words of our own. It knows no %n and no long double.
std::string print_message (const char *format, va_list args);

} // namespace sino
