// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/printf.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <cstdio>
#include <string_view>

namespace sino {

namespace {

// The arguments as an object, which functions can share.
struct Arguments {
  va_list list;

  explicit Arguments (va_list from) { va_copy (list, from); }
  ~Arguments () { va_end (list); }
  Arguments (const Arguments &) = delete;
  Arguments &operator= (const Arguments &) = delete;
};

template <class T> std::string print_one (const std::string &conversion, T value)
{
  char few[64];
  const auto length = static_cast<size_t> (snprintf (few, sizeof few, conversion.c_str (), value));
  if (length < sizeof few)
    return few;
  std::string many (length + 1, '\0');
  snprintf (many.data (), many.size (), conversion.c_str (), value);
  many.pop_back ();
  return many;
}

// Formats the next argument, whose type the conversion gives.
std::string print_next (const std::string &conversion, Arguments &arguments)
{
  const char kind = conversion.back (), size = conversion[conversion.size () - 2];
  if (kind == 's')
    return print_one (conversion, va_arg (arguments.list, const char *));
  if (kind == 'p')
    return print_one (conversion, va_arg (arguments.list, void *));
  if (std::string_view ("aAeEfFgG").find (kind) != std::string_view::npos)
    return print_one (conversion, va_arg (arguments.list, double));
  if (size == 'j' || conversion.find ("ll") != conversion.npos)
    return print_one (conversion, va_arg (arguments.list, long long));
  if (size == 'l' || size == 'z' || size == 't') // these have the same size wherever Linux runs
    return print_one (conversion, va_arg (arguments.list, long));
  return print_one (conversion, va_arg (arguments.list, int));
}

} // namespace

std::string print_message (const char *format, va_list args)
{
  Arguments arguments (args);
  const std::string_view all = format;
  std::string out;
  for (size_t at = 0; at < all.size ();) {
    const auto begin = std::min (all.find ('%', at), all.size ());
    out += all.substr (at, begin - at);
    const auto end = all.find_first_of ("%csdiouxXpaAeEfFgG", begin + 1);
    if (end == all.npos)
      break;
    at = end + 1;
    if (all[end] == '%') {
      out += '%';
      continue;
    }
    std::string conversion;
    for (const char c : all.substr (begin, at - begin))
      if (c == '*')
        conversion += std::to_string (va_arg (arguments.list, int));
      else
        conversion += c;
    const auto word = print_next (conversion, arguments);
    const bool from_outside = all[end] == 's' && begin > 0 && (all[begin - 1] == '\'' || all[begin - 1] == '=');
    out += from_outside ? shown (word) : word;
  }
  return out;
}

} // namespace sino
