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

// Text in columns as wide as their widest cell.
std::string columns_text (const std::vector<std::vector<std::string>> &rows);

// A word quoted for a shell.
std::string shell_word (const std::string &word);

} // namespace sino::cli
