// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/modules.hpp"
#include "cli/program.hpp"
#include <cerrno>
#include <unistd.h>

namespace sino::cli {

void hand_on (const std::vector<std::string> &words)
{
  const auto path = find_program ("sinograph-bench", "which measures and tunes");
  std::vector<std::string> arguments{"sinograph-bench"};
  arguments.insert (arguments.end (), words.begin (), words.end ());
  std::vector<char *> pointers;
  for (auto &word : arguments)
    pointers.push_back (word.data ());
  pointers.push_back (nullptr);
  execv (path.c_str (), pointers.data ());
  fail (SINO_ERROR_FAILED, "cannot start '%s', which measures and tunes: %s", path.c_str (), g_strerror (errno));
}

} // namespace sino::cli
