// SPDX-License-Identifier: LGPL-3.0-or-later
// Output for people; control characters from outside are escaped, so that they do not affect the terminal.
#pragma once
#include <string>
#include <vector>

namespace sino::cli {

// Writes text to the standard output; adds no line breaks.
void print (const std::string &text);
// "sinograph: MESSAGE" and a line break, to the standard error.
void complain (const std::string &message);

} // namespace sino::cli
