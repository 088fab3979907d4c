// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/output.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::files {

using Files = WritingFormat::Files;

const WritingFormat &output_format (const std::string &path, const Pattern &pattern)
{
  std::vector<std::string> suffixes;
  const WritingFormat *unsuited = nullptr; // the format that has this suffix
  for (const auto *format : registered<WritingFormat> ()) {
    suffixes.insert (suffixes.end (), format->suffixes.begin (), format->suffixes.end ());
    if (!has_suffix (path, format->suffixes))
      continue;
    if (format->files == Files::either || (format->files == Files::image) == pattern.numbered ())
      return *format;
    unsuited = unsuited ? unsuited : format;
  }
  if (!unsuited)
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s does not say what to write: name %s, for example slices/%%05i.tif",
          path.c_str (), join (suffixes, ", ", {}, " or ").c_str ());
  fail (SINO_ERROR_BAD_PROPERTY,
        pattern.numbered () ? "path=%s: %s holds all of the stream in one file, leave the number out"
                            : "path=%s: %s holds an image in each file, put a number like %%05i into the name",
        path.c_str (), unsuited->name.c_str ());
}

void check_holds (const WritingFormat &format, const Planned &planned, const std::string &path)
{
  const auto has = [] (const auto &list, auto one) {
    return std::find (list.begin (), list.end (), one) != list.end ();
  };
  const auto kind = planned.format.kind ();
  if (!has (format.kinds, kind)) {
    std::vector<std::string> suffixes; // suffixes of formats that do
    for (const auto *other : registered<WritingFormat> ())
      if (has (other->kinds, kind))
        suffixes.insert (suffixes.end (), other->suffixes.begin (), other->suffixes.end ());
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: %s does not hold %s: name %s", path.c_str (), format.name.c_str (),
          name_of (kind), join (suffixes, ", ", {}, " or ").c_str ());
  }
  if (!has (format.elements, planned.element)) {
    const auto elements = elements_text (format.elements, " or ");
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: %s holds %s values, not %s: set type=%s", path.c_str (),
          format.name.c_str (), elements.c_str (), name_of (planned.element), elements.c_str ());
  }
}

std::vector<std::string> output_paths (const Planned &planned)
{
  std::vector<std::string> paths;
  for (int64_t i = 0; i < (planned.pattern.numbered () ? planned.pages () : 1); i++)
    paths.push_back (planned.name (i));
  return paths;
}

} // namespace sino::files
