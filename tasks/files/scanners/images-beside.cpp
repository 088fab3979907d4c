// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scanners/images-beside.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "formats/open.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

static std::vector<std::string> entries_of (const std::string &folder)
{
  auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder, names.error);
  std::ranges::sort (names.list);
  return std::move (names.list);
}

static std::string in_folder (const std::string &folder, const std::string &name)
{
  return folder == "." ? name : folder + "/" + name;
}

std::map<int64_t, std::string> numbered_files (const std::string &folder, const std::string &prefix, int64_t digits,
                                               const std::vector<std::string> &suffixes)
{
  std::map<int64_t, std::string> found;
  const auto start = lower_case (prefix);
  for (const auto &name : entries_of (folder)) {
    const auto lower = lower_case (name);
    const auto suffix = std::ranges::find_if (suffixes, [&] (const auto &s) { return lower.ends_with (s); });
    if (suffix == suffixes.end () || !lower.starts_with (start) || lower.size () <= start.size () + suffix->size ())
      continue;
    const auto middle = lower.substr (start.size (), lower.size () - start.size () - suffix->size ());
    int64_t number = 0;
    if (middle.find_first_not_of ("0123456789") == middle.npos && (digits == 0 || std::ssize (middle) == digits) &&
        middle.size () <= 10 && parse_integer (middle, number))
      if (const auto [other, is_new] = found.try_emplace (number, in_folder (folder, name)); !is_new)
        fail (SINO_ERROR_BAD_FILE,
              "%s and %s are both image number %" G_GINT64_FORMAT
              " of a scan: move the one that does not belong to it to another folder",
              in_quotes (other->second).c_str (), in_quotes (in_folder (folder, name)).c_str (), number);
  }
  return found;
}

std::string entry_named (const std::string &folder, const std::string &name)
{
  const auto wanted = lower_case (name);
  for (const auto &entry : entries_of (folder))
    if (lower_case (entry) == wanted)
      return in_folder (folder, entry);
  return {};
}

std::vector<std::string> images_from (const std::map<int64_t, std::string> &files, int64_t first, int64_t count,
                                      const std::string &title, const std::string &pattern)
{
  std::vector<std::string> paths;
  std::vector<int64_t> missing;
  for (auto number = first; number < first + count; number++)
    if (const auto file = files.find (number); file != files.end ())
      paths.push_back (file->second);
    else
      missing.push_back (number);
  if (!missing.empty ())
    fail (SINO_ERROR_BAD_FILE,
          "%s describes %" G_GINT64_FORMAT " images %s, and %zu of them %s missing: the first has the number "
          "%" G_GINT64_FORMAT,
          title.c_str (), count, in_quotes (pattern).c_str (), missing.size (), missing.size () == 1 ? "is" : "are",
          missing[0]);
  return paths;
}

std::shared_ptr<const Stack> open_images_of (const std::string &title, const std::vector<std::string> &paths,
                                             int64_t lines, int64_t columns, std::vector<std::string> &messages)
{
  const auto *format = format_of_bytes (Descriptor (paths[0], O_RDONLY));
  if (!format)
    format = format_of_suffix (paths[0]);
  if (!format || !format->sequences)
    fail (SINO_ERROR_BAD_FILE, "%s names %s, which is not an image", title.c_str (), in_quotes (paths[0]).c_str ());
  const auto file = format->open ({.path = paths[0], .paths = paths, .dataset = "", .images = "data"}, messages);
  check_element (*format, *file->stack, file->title ());
  const auto &stack = file->stack;
  if (stack->pages != std::ssize (paths))
    fail (SINO_ERROR_BAD_FILE, "%s: its %zu files have %" G_GINT64_FORMAT " images: each must have one", title.c_str (),
          paths.size (), stack->pages);
  if (stack->lines != lines || stack->columns != columns)
    fail (SINO_ERROR_BAD_FILE,
          "%s describes images of %" G_GINT64_FORMAT " columns and %" G_GINT64_FORMAT
          " rows, and %s has %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
          ": were the images cropped, binned or stitched?",
          title.c_str (), columns, lines, in_quotes (paths[0]).c_str (), stack->columns, stack->lines);
  return stack;
}

} // namespace sino::files
