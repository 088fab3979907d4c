// SPDX-License-Identifier: LGPL-3.0-or-later
// Splits a launch line into words and marks.
#pragma once
#include "base/visibility.hpp"
#include <span>
#include <string>
#include <vector>

namespace sino {

struct Token {
  enum class Kind { word, link, open, comma, close, end };

  Kind kind;
  size_t begin, end;         // place in the line
  std::string text;          // a word, unquoted
  size_t assign = text.npos; // place in a word's `text` of the first '=' outside quotes
};

// "column 7: why", the line, and a caret below the place. fail_at () throws it as an error.
std::string placed (const std::string &line, size_t begin, size_t end, const std::string &why);
[[noreturn]] void fail_at (const std::string &line, size_t begin, size_t end, int code, const std::string &why);

// Ends with a token of kind `end`.
SINO_VISIBLE std::vector<Token> cut (const std::string &line);

// A word as a launch line has it: in quotes if it needs them.
SINO_VISIBLE std::string launch_word (const std::string &word);

// Makes one line from the arguments of a command. A single argument is the line; of several, each is a word or a mark,
// so that a word that the shell has unquoted stays one word.
SINO_VISIBLE std::string join_arguments (std::span<const char *const> arguments);

} // namespace sino
