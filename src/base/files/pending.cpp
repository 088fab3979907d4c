// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/pending.hpp"
#include <climits>
#include <cstddef>
#include <new>
#include <unistd.h>

namespace sino {

// Never destroyed, as threads that were left behind may still use it; in static memory, as memory may be short.
Pending &Pending::get ()
{
  alignas (Pending) static std::byte room[sizeof (Pending)];
  static auto *const pending = new (room) Pending;
  return *pending;
}

static std::string end_of (int process, int number, const char *suffix)
{
  return text (".%d-%d%s", process, number, suffix);
}

static constexpr char part_suffix[] = ".part", old_suffix[] = ".old";

// The part of a final name that its temporary name begins with.
static std::string stem_of (const std::string &final_name)
{
  return final_name.substr (0, NAME_MAX - end_of (INT_MAX, INT_MAX, part_suffix).size ());
}

static std::string path_beside (const std::string &final_path, int number, const char *suffix)
{
  const auto name = final_path.rfind ('/') + 1; // npos + 1 is 0
  return final_path.substr (0, name) + stem_of (final_path.substr (name)) + end_of (getpid (), number, suffix);
}

static bool is_beside (const std::string &name, const std::string &final_name, std::string_view suffix)
{
  const auto stem = stem_of (final_name);
  if (!name.starts_with (stem + ".") || !name.ends_with (suffix))
    return false;
  const auto around = suffix.size () + 1;
  const std::string_view numbers (name.data () + stem.size () + 1,
                                  std::max (name.size () - stem.size (), around) - around);
  const auto dash = std::min (numbers.find ('-'), numbers.size ());
  int64_t process = 0, number = 0;
  return dash < numbers.size () && parse_integer (numbers.substr (0, dash), process) &&
         parse_integer (numbers.substr (dash + 1), number) && process <= INT_MAX && number <= INT_MAX &&
         name == stem + end_of (static_cast<int> (process), static_cast<int> (number), suffix.data ());
}

std::string part_path (const std::string &final_path, int number)
{
  return path_beside (final_path, number, part_suffix);
}

bool is_part_of (const std::string &name, const std::string &final_name)
{
  return is_beside (name, final_name, part_suffix);
}

std::string old_path (const std::string &final_path, int number)
{
  return path_beside (final_path, number, old_suffix);
}

bool is_old_of (const std::string &name, const std::string &final_name)
{
  return is_beside (name, final_name, old_suffix);
}

} // namespace sino
