// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/image-groups.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/paths.hpp"
#include "base/text.hpp"
#include "formats/formats.hpp"
#include "glue/registry.hpp"
#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>

namespace sino::scan {

namespace {

namespace fs = std::filesystem;
using namespace formats;

const std::vector<std::string> raw_suffixes{".raw", ".bin", ".dat", ".vol", ".img", ".seq"};
const std::vector<std::string> text_suffixes{".txt", ".csv", ".dat"}, angle_suffixes{".ang", ".angles"};

enum class FileKind { image, container, angles, other };

FileKind kind_of (const std::string &name, bool raw)
{
  for (const auto *format : registered<ReadingFormat> ())
    if (!format->described && !format->describes && has_suffix (name, format->suffixes))
      return format->sequences ? FileKind::image : FileKind::container;
  if (has_suffix (name, angle_suffixes))
    return FileKind::angles;
  if (has_suffix (name, text_suffixes)) {
    const auto words = words_of (name);
    const auto is_angle = [] (const std::string &word) {
      return word.starts_with ("angle") || word.starts_with ("theta") || word == "ang";
    };
    if (std::ranges::any_of (words.begin (), words.end () - 1, is_angle))
      return FileKind::angles;
  }
  return raw && has_suffix (name, raw_suffixes) ? FileKind::image : FileKind::other;
}

std::vector<std::string> sorted_names (const std::string &folder)
{
  check_confined (folder);
  auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder, names.error);
  std::erase_if (names.list, [] (const std::string &name) { return name.starts_with ('.'); });
  std::ranges::sort (names.list, natural_less);
  return std::move (names.list);
}

void add_folder (const std::string &folder, const std::string &inner, bool raw, FolderImages &found)
{
  const auto here = inner.empty () ? fs::path (folder) : fs::path (folder) / inner;
  std::vector<std::string> images, containers;
  for (const auto &name : sorted_names (here.string ())) {
    const auto kind = kind_of (name, raw);
    std::error_code code;
    if (kind != FileKind::container && fs::is_directory (here / name, code)) {
      if (inner.empty ())
        add_folder (folder, name, raw, found);
      continue;
    }
    if (kind == FileKind::image)
      images.push_back (name);
    else if (kind == FileKind::container)
      containers.push_back (name);
    else
      (kind == FileKind::angles ? found.angles : found.others).push_back ((fs::path (inner) / name).string ());
  }
  const auto first = found.groups.size ();
  for (auto &names : group_names (images))
    found.groups.push_back ({folder, inner, std::move (names), false, true, {}});
  const bool alone = !raw && found.groups.size () == first + 1;
  for (auto i = first; i < found.groups.size (); i++)
    found.groups[i].alone = alone;
  for (const auto &name : containers)
    found.groups.push_back ({folder, inner, {{name}, escaped_pattern (name), {}}, true, false, {}});
}

// Words in the names of a group's files, and in that of its folder.
struct Words {
  std::vector<std::string> files, folder;

  std::ptrdiff_t count (const std::string &word) const
  {
    return std::ranges::count (files, word) + std::ranges::count (folder, word);
  }
};

// Words that all groups have belong to the scan's name: removes each as often as it occurs in all, from file names
// first.
void leave_common_words (std::vector<Words> &all)
{
  if (all.size () < 2)
    return;
  std::map<std::string, std::ptrdiff_t> common;
  for (const auto *list : {&all[0].files, &all[0].folder})
    for (const auto &word : *list)
      common[word] = std::ranges::min (all | std::views::transform ([&] (const Words &w) { return w.count (word); }));
  for (auto &words : all)
    for (auto [word, times] : common)
      for (auto *list : {&words.files, &words.folder})
        for (auto at = std::ranges::find (*list, word); times > 0 && at != list->end ();
             at = std::ranges::find (*list, word), times--)
          list->erase (at);
}

void give_meanings (std::vector<ImageGroup> &groups)
{
  std::vector<Words> all;
  for (const auto &group : groups)
    all.push_back ({words_of (fs::path (group.names.names[0]).stem ().string ()), words_of (group.inner)});
  leave_common_words (all);
  for (size_t i = 0; i < groups.size (); i++) {
    auto by_file = meaning_of (all[i].files), by_folder = meaning_of (all[i].folder);
    auto &meaning = groups[i].meaning;
    if (by_file.role == Role::projections)
      meaning = by_folder;
    else {
      meaning = by_file;
      if (by_folder.role != Role::projections && by_folder.role != Role::several && by_folder.role != by_file.role)
        meaning.role = Role::several;
    }
    if (meaning.time == Time::unsaid)
      meaning.time = by_file.time != Time::unsaid ? by_file.time : by_folder.time;
  }
}

} // namespace

std::string ImageGroup::path () const
{
  const auto here = inner.empty () ? folder : folder + '/' + inner;
  if (count () == 1)
    return here + '/' + names.names[0];
  return alone ? here : escaped_pattern (here) + '/' + names.pattern;
}

std::string ImageGroup::short_path () const
{
  return (inner.empty () ? "" : inner + '/') + (count () == 1 ? names.names[0] : names.pattern);
}

FolderImages image_groups (const std::string &folder, bool raw)
{
  Registry::get ().names (); // loads the modules, which add formats
  auto root = folder;
  while (root.size () > 1 && root.ends_with ('/'))
    root.pop_back ();
  FolderImages found;
  add_folder (root, "", raw, found);
  give_meanings (found.groups);
  return found;
}

} // namespace sino::scan
