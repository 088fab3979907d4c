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

static std::string part_end (int process, int number)
{
  return text (".%d-%d.part", process, number);
}

// The part of a final name that its temporary name begins with.
static std::string stem_of (const std::string &final_name)
{
  return final_name.substr (0, NAME_MAX - part_end (INT_MAX, INT_MAX).size ());
}

std::string part_path (const std::string &final_path, int number)
{
  const auto name = final_path.rfind ('/') + 1; // npos + 1 is 0
  return final_path.substr (0, name) + stem_of (final_path.substr (name)) + part_end (getpid (), number);
}

bool is_part_of (const std::string &name, const std::string &final_name)
{
  const auto stem = stem_of (final_name);
  if (!name.starts_with (stem + ".") || !name.ends_with (".part"))
    return false;
  const std::string_view numbers (name.data () + stem.size () + 1,
                                  std::max (name.size () - stem.size (), size_t{6}) - 6);
  const auto dash = std::min (numbers.find ('-'), numbers.size ());
  int64_t process = 0, number = 0;
  return dash < numbers.size () && parse_integer (numbers.substr (0, dash), process) &&
         parse_integer (numbers.substr (dash + 1), number) && process <= INT_MAX && number <= INT_MAX &&
         name == stem + part_end (static_cast<int> (process), static_cast<int> (number));
}

} // namespace sino
