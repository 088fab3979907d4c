// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/formats.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::formats {

// --- the table ---

// Filled while modules are loaded; no node can use it before.
template <class F> static std::vector<const F *> &table ()
{
  static std::vector<const F *> list;
  return list;
}

template <class F> const std::vector<const F *> &registered ()
{
  return table<F> ();
}

template <class F> void add_format (const F &format)
{
  auto &list = table<F> ();
  if (format.name.empty () || !format.open)
    fail (SINO_ERROR_FAILED, "a format to %s needs a name and an opener", F::use);
  for (const auto *known : list)
    if (known->name == format.name)
      fail (SINO_ERROR_EXISTS, "format '%s' to %s is in another module, which is used", format.name.c_str (), F::use);
  const auto before = [] (const F *a, const F *b) {
    return a->priority != b->priority ? a->priority > b->priority : a->name < b->name;
  };
  list.insert (std::ranges::upper_bound (list, &format, before), &format);
}

template SINO_VISIBLE const std::vector<const ReadingFormat *> &registered ();
template SINO_VISIBLE const std::vector<const WritingFormat *> &registered ();
template SINO_VISIBLE void add_format (const ReadingFormat &);
template SINO_VISIBLE void add_format (const WritingFormat &);

// --- used by openers and by code that looks for formats ---

bool has_suffix (const std::string &path, const std::vector<std::string> &suffixes)
{
  const auto lower = lower_case (path);
  return std::ranges::any_of (suffixes, [&] (const auto &s) { return lower.ends_with (s); });
}

bool begins_with (const Descriptor &file, std::string_view bytes)
{
  std::string start (bytes.size (), '\0');
  if (file.size () < std::ssize (bytes))
    return false;
  file.read (start.data (), start.size (), 0);
  return start == bytes;
}

std::string elements_text (const std::vector<Element> &elements, std::string_view last)
{
  return join (
      elements, ", ", [] (Element element) { return name_of (element); }, last);
}

} // namespace sino::formats
