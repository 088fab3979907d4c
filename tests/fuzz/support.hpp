// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "base/error.hpp"
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sino::fuzz {

// Ends the process with a message, which libFuzzer takes for a crash, unless it is true.
void require (bool true_thing, const std::string &what);

// What an Error says, or "" where there was none; its text has to be one that a terminal may show.
std::string message_of (const std::function<void ()> &body);

// A file with an input, until the end of the scope.
class InputFile
{
public:
  explicit InputFile (std::span<const std::byte> content = {});
  ~InputFile ();
  InputFile (const InputFile &) = delete;
  InputFile &operator= (const InputFile &) = delete;

  const std::string &path () const { return path_; }

private:
  std::string path_;
};

// Negotiates `read` of a file, then opens its images and reads a few of them, in memory that was planned for. Gives
// back what was said.
std::string read_images (const std::string &path, const std::string &words);

} // namespace sino::fuzz
