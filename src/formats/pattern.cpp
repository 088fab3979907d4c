// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/pattern.hpp"
#include "base/error.hpp"

namespace sino::formats {

Pattern::Pattern (const std::string &path)
{
  for (size_t i = 0; i < path.size (); i++) {
    if (path[i] != '%') {
      (numbered_ ? after : before) += path[i];
      continue;
    }
    if (++i < path.size () && path[i] == '%') {
      (numbered_ ? after : before) += '%';
      continue;
    }
    zeros = i < path.size () && path[i] == '0';
    int digits = 0;
    for (; i < path.size () && g_ascii_isdigit (path[i]) && digits < 1000; i++)
      digits = 10 * digits + path[i] - '0';
    int places = i < path.size () && path[i] == '.' ? 0 : -1;
    if (places == 0)
      for (i++; i < path.size () && g_ascii_isdigit (path[i]) && places < 1000; i++)
        places = 10 * places + path[i] - '0';
    const bool value = i < path.size () && path[i] == 'f';
    if (numbered_ || digits > 20 || places > 9 || i == path.size () ||
        (!value && (places >= 0 || (path[i] != 'i' && path[i] != 'd'))))
      fail (SINO_ERROR_BAD_PROPERTY,
            "path=%s: a pattern must have one number like %%i or %%05i (and %%%% for a per cent sign)", path.c_str ());
    if (value)
      decimals = places < 0 ? 6 : places;
    numbered_ = true;
    width = digits;
  }
  if (numbered_ && after.find ('/') != after.npos)
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: the number must be in the name of the file, not of a folder",
          path.c_str ());
}

std::string Pattern::name (int64_t number) const
{
  if (!numbered_)
    return before;
  return before + padded (std::to_string (number)) + after;
}

std::string Pattern::name_of_value (double value) const
{
  return before + padded (text ("%.*f", decimals, value)) + after;
}

std::string Pattern::padded (std::string digits) const
{
  if (std::ssize (digits) < width)
    digits.insert (digits.starts_with ('-') && zeros ? 1 : 0, static_cast<size_t> (width) - digits.size (),
                   zeros ? '0' : ' ');
  return digits;
}

} // namespace sino::formats
