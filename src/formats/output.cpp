// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/output.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::formats {

using Files = WritingFormat::Files;

const char *name_of (Compression compression)
{
  constexpr const char *names[] = {"auto", "none", "deflate", "lz4", "zstd"};
  return names[static_cast<size_t> (compression)];
}

// Adds suffixes without duplicates: formats may share some.
static void add_suffixes (std::vector<std::string> &list, const WritingFormat &format)
{
  for (const auto &suffix : format.suffixes)
    if (std::ranges::find (list, suffix) == list.end ())
      list.push_back (suffix);
}

const WritingFormat &output_format (const std::string &path, const Pattern &pattern, Compression compression)
{
  std::vector<std::string> suffixes, ways;
  const WritingFormat *other = nullptr;    // the first format that has the suffix but another compression
  const WritingFormat *unsuited = nullptr; // a format with this suffix that cannot be used
  for (const auto *format : registered<WritingFormat> ()) {
    add_suffixes (suffixes, *format);
    if (!has_suffix (path, format->suffixes))
      continue;
    if (format->files != Files::either && (format->files == Files::image) != pattern.numbered ()) {
      unsuited = unsuited ? unsuited : format;
      continue;
    }
    const auto &here = format->compressions;
    if (compression == Compression::automatic || std::ranges::find (here, compression) != here.end ())
      return *format;
    other = other ? other : format;
    for (const auto way : here)
      ways.emplace_back (name_of (way));
  }
  if (other)
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: %s supports compression=%s, not %s", path.c_str (), other->name.c_str (),
          join (ways, ", ", {}, " or ").c_str (), name_of (compression));
  if (!unsuited)
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s does not say what to write: name %s, for example slices/%%05i.tif",
          path.c_str (), join (suffixes, ", ", {}, " or ").c_str ());
  fail (SINO_ERROR_BAD_PROPERTY,
        pattern.numbered () ? "path=%s: %s stores the whole stream in one file, leave the number out"
                            : "path=%s: %s stores one image per file, put a number like %%05i into the name",
        path.c_str (), unsuited->name.c_str ());
}

// Throws if the images cannot be spread over as many files as wanted.
static void check_files (const WritingFormat &format, const Planned &planned)
{
  if (!planned.spread ())
    return;
  if (!format.spreads)
    fail (SINO_ERROR_BAD_PROPERTY, "files=%d is for HDF5 without compression, not for %s: leave files= out",
          planned.files, format.name.c_str ());
  if (planned.pages () < planned.files)
    fail (SINO_ERROR_BAD_PROPERTY, "files=%d: the stream has only %s", planned.files,
          planned.pages () == 1 ? "1 image: leave files= out"
                                : text ("%" G_GINT64_FORMAT " images: set files= to %" G_GINT64_FORMAT " or less",
                                        planned.pages (), planned.pages ())
                                      .c_str ());
}

void check_holds (const WritingFormat &format, const Planned &planned, const std::string &path)
{
  const auto has = [] (const auto &list, auto one) { return std::ranges::find (list, one) != list.end (); };
  const auto kind = planned.format.kind ();
  if (!has (format.kinds, kind)) {
    std::vector<std::string> suffixes; // suffixes of formats that can hold this kind of stream
    for (const auto *other : registered<WritingFormat> ())
      if (has (other->kinds, kind))
        add_suffixes (suffixes, *other);
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: %s cannot store %s: name %s", path.c_str (), format.name.c_str (),
          name_of (kind), join (suffixes, ", ", {}, " or ").c_str ());
  }
  if (!has (format.elements, planned.element)) {
    const auto elements = elements_text (format.elements, " or ");
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s: %s stores %s values, not %s: set type=%s", path.c_str (),
          format.name.c_str (), elements.c_str (), name_of (planned.element), elements.c_str ());
  }
  check_files (format, planned);
  if (format.check)
    format.check (planned);
}

void check_values_in_name (const Planned &planned, const std::string &path)
{
  if (!planned.pattern.valued ())
    return;
  if (slice_trials (planned.format).empty ())
    fail (SINO_ERROR_BAD_PROPERTY,
          "path=%s: a value in the name is for slices with one axis or strength each, which 'reconstruct' makes for a "
          "range of them; for images use a number: %%05i",
          path.c_str ());
  for (int64_t page = 1; page < planned.pages (); page++)
    if (planned.name (page) == planned.name (page - 1))
      fail (SINO_ERROR_BAD_PROPERTY, "path=%s: two slices would have the name '%s': use more decimals", path.c_str (),
            planned.name (page).c_str ());
}

std::string name_of_part (const std::string &output, int number)
{
  const auto name = output.rfind ('/') + 1; // npos + 1 is 0
  const auto dot = std::max (output.rfind ('.'), name);
  return output.substr (0, dot) + text ("-part%d", number) + output.substr (dot);
}

std::vector<std::string> output_paths (const WritingFormat &format, const Planned &planned)
{
  std::vector<std::string> paths;
  for (int64_t i = 0; i < (planned.pattern.numbered () ? planned.pages () : 1); i++)
    paths.push_back (planned.name (i));
  if (format.beside)
    for (size_t i = 0, n = paths.size (); i < n; i++)
      for (auto &path : format.beside (paths[i]))
        paths.push_back (std::move (path));
  for (int i = 0; planned.spread () && i < planned.files; i++)
    paths.push_back (planned.part_name (i));
  return paths;
}

} // namespace sino::formats
