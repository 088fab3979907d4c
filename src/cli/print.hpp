// SPDX-License-Identifier: LGPL-3.0-or-later
// What the program says to people: nothing in it that came from outside moves their terminal's cursor.
#pragma once
#include <string>
#include <vector>

namespace sino::cli {

// To the standard output, as it is: lines are in the text.
void print (const std::string &text);
// "sinograph: MESSAGE" and a line break, to the standard error.
void complain (const std::string &message);

// Lines of columns as wide as their widest cell.
std::string columns_text (const std::vector<std::vector<std::string>> &rows);

// A word as a shell reads it back.
std::string shell_word (const std::string &word);

} // namespace sino::cli
