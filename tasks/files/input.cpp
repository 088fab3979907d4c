// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/input.hpp"
#include "base/error.hpp"
#include "tasks/files/known-bytes.hpp"
#include "tasks/files/paths.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

namespace {

const ReadingFormat *format_for_raw ()
{
  for (const auto *format : registered<ReadingFormat> ())
    if (format->described)
      return format;
  return nullptr;
}

// The format of several files is the first one's. What is damaged is told by the format that its suffix asks for.
const ReadingFormat &format_of (const std::vector<std::string> &paths, const Wanted &wanted)
{
  const auto &path = paths[0];
  const Descriptor file (path, O_RDONLY);
  const auto *const raw = wanted.raw.empty () ? nullptr : format_for_raw ();
  if (raw && std::string_view (wanted.property) == "path")
    return *raw;
  std::vector<std::string> names;
  for (const auto *format : registered<ReadingFormat> ()) {
    if (format->recognised && format->recognised (file))
      return *format;
    if (!format->described)
      names.push_back (format->name);
  }
  if (raw)
    return *raw;
  const auto known = known_by_bytes (file);
  for (const auto *format : registered<ReadingFormat> ())
    if (known.empty () && has_suffix (path, format->suffixes))
      return *format;
  if (!known.empty ())
    fail (SINO_ERROR_BAD_FILE, "'%s' is %s", path.c_str (), known.c_str ());
  fail (SINO_ERROR_BAD_FILE, "'%s' is neither %s: if its pixels lie in it as they are, say with raw= what they are",
        path.c_str (), join (names, ", ", {}, " nor ").c_str ());
}

// A path with a dataset behind a colon, as other programs write it, as the two.
void split_dataset (Wanted &wanted)
{
  FileStamp stamp;
  const auto at = wanted.path.rfind (":/");
  if (at == wanted.path.npos || find_stamp (wanted.path, stamp) || !find_stamp (wanted.path.substr (0, at), stamp))
    return;
  const auto dataset = wanted.path.substr (at + 1);
  if (!wanted.dataset.empty () && wanted.dataset != dataset)
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s names a dataset, and dataset=%s another: leave one of them out",
          wanted.path.c_str (), wanted.dataset.c_str ());
  wanted.path.erase (at);
  wanted.dataset = dataset;
}

// Throws when the format has no such thing as was asked for.
void check_asked (const ReadingFormat &format, const ReadRequest &request)
{
  const auto names = [] (bool ReadingFormat::*have) {
    std::vector<std::string> list;
    for (const auto *other : registered<ReadingFormat> ())
      if (other->*have)
        list.push_back (other->name);
    return join (list, ", ", {}, " and ");
  };
  if (request.paths.size () > 1 && !format.sequences)
    fail (SINO_ERROR_BAD_PROPERTY, "'%s' is several files, which %s cannot be: name one of them, such as '%s'",
          request.path.c_str (), format.name.c_str (), request.paths[0].c_str ());
  if (!request.dataset.empty () && !format.datasets)
    fail (SINO_ERROR_BAD_PROPERTY, "dataset=%s names images within %s files, and '%s' is %s%s: leave it out",
          request.dataset.c_str (), names (&ReadingFormat::datasets).c_str (), request.paths[0].c_str (),
          format.name.c_str (), has_suffix (request.paths[0], format.suffixes) ? "" : ", as its first bytes tell");
  if (request.missing == Missing::skip && !format.sequences)
    fail (SINO_ERROR_BAD_PROPERTY,
          "missing=skip is for sequences of %s files, and '%s' is %s: leave it out, or set missing=zero",
          names (&ReadingFormat::sequences).c_str (), request.path.c_str (), format.name.c_str ());
}

} // namespace

void check_element (const ReadingFormat &format, const Stack &stack, const std::string &title)
{
  if (std::ranges::count (format.elements, stack.element) == 0)
    fail (SINO_ERROR_BAD_FILE, "%s has %s values, but %s holds %s: convert the file to one of these", title.c_str (),
          name_of (stack.element), format.name.c_str (), elements_text (format.elements, " or ").c_str ());
}

Input open_input (const Wanted &asked, std::vector<std::string> &messages)
{
  auto wanted = asked;
  split_dataset (wanted);
  const auto &path = wanted.path;
  const ReadRequest request{.path = path,
                            .paths = is_sequence (path) ? find_images (path) : std::vector<std::string>{path},
                            .dataset = wanted.dataset,
                            .images = wanted.images,
                            .missing = wanted.missing,
                            .raw = wanted.raw};
  const auto &format = format_of (request.paths, wanted);
  check_asked (format, request);
  auto file = format.open (request, messages);
  auto stack = file->stack;
  check_element (format, *stack, file->title ());
  return {&format, std::move (file), std::move (stack), find_gaps (request.paths)};
}

} // namespace sino::files
