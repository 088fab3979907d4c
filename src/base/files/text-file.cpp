// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/text-file.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/pointers.hpp"
#include <glib.h>

namespace sino {

// Windows programs mark the begin of a text, and some write two bytes per character.
std::string read_text (const char *what, const std::string &path, size_t most)
{
  auto content = read_input (what, path, most);
  if (content.starts_with ("\xef\xbb\xbf"))
    return content.substr (3);
  const bool little = content.starts_with ("\xff\xfe"), big = content.starts_with ("\xfe\xff");
  if (!little && !big)
    return content;
  gsize length = 0;
  const CharPtr text (g_convert (content.data () + 2, std::ssize (content) - 2, "UTF-8",
                                 little ? "UTF-16LE" : "UTF-16BE", nullptr, &length, nullptr));
  if (!text)
    fail (SINO_ERROR_BAD_FILE, "'%s' begins like text in UTF-16, but is not valid UTF-16: save it as UTF-8",
          path.c_str ());
  return {text.get (), length};
}

std::string from_windows (std::string text)
{
  if (g_utf8_validate (text.data (), std::ssize (text), nullptr))
    return text;
  gsize length = 0;
  const CharPtr converted (g_convert_with_fallback (text.data (), std::ssize (text), "UTF-8", "WINDOWS-1252", "?",
                                                    nullptr, &length, nullptr));
  return converted ? std::string (converted.get (), length) : text;
}

} // namespace sino
