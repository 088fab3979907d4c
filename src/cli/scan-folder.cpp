// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/scan-folder.hpp"
#include "base/error.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

namespace sino::cli {

namespace {

namespace fs = std::filesystem;

// Files whose names differ in their last number.
struct Images {
  std::vector<std::string> names;
  bool alone = true; // there are no other images in their folder
};
using Key = std::tuple<std::string, std::string, std::string>; // folder, what is before the number, suffix

std::string lower (std::string word)
{
  std::ranges::transform (word, word.begin (), g_ascii_tolower);
  return word;
}

bool is_image (const fs::path &path)
{
  const auto suffix = lower (path.extension ().string ());
  return suffix == ".tif" || suffix == ".tiff" || suffix == ".png";
}

std::string before_number (const fs::path &path)
{
  auto stem = path.stem ().string ();
  while (!stem.empty () && g_ascii_isdigit (stem.back ()))
    stem.pop_back ();
  return stem;
}

bool holds (const std::string &name, std::initializer_list<const char *> words)
{
  return std::any_of (words.begin (), words.end (), [&] (const char *word) { return name.find (word) != name.npos; });
}

std::vector<fs::path> entries (const fs::path &folder)
{
  const auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder.string (), names.error);
  std::vector<fs::path> list;
  for (const auto &name : names.list)
    list.push_back (folder / name);
  std::ranges::sort (list);
  return list;
}

// As `read` takes them: a file, a folder that holds nothing else, or a pattern.
std::string path_of (const Key &key, const Images &images)
{
  const auto &[name, before, suffix] = key;
  const fs::path folder = name;
  if (images.names.size () == 1)
    return (folder / images.names.front ()).string ();
  if (images.alone)
    return folder.string ();
  return (folder / (before + "*" + suffix)).string ();
}

} // namespace

ScanFolder look_into (const std::string &folder)
{
  std::map<Key, Images> groups;
  std::map<std::string, int> kinds; // groups of images, by folder
  std::vector<fs::path> texts;
  const auto add = [&] (const fs::path &path) {
    if (is_image (path)) {
      const Key key (path.parent_path ().string (), before_number (path), path.extension ().string ());
      auto &images = groups[key];
      if (images.names.empty ())
        kinds[std::get<0> (key)]++;
      images.names.push_back (path.filename ().string ());
    } else if (const auto name = lower (path.filename ().string ());
               name.ends_with (".txt") && holds (name, {"angle", "theta"})) {
      texts.push_back (path);
    }
  };
  for (const auto &entry : entries (folder)) {
    if (fs::is_directory (entry))
      for (const auto &inner : entries (entry))
        add (inner);
    else
      add (entry);
  }
  ScanFolder found;
  size_t most = 0;
  for (auto &[key, images] : groups) {
    const auto &[inside, before, suffix] = key;
    images.alone = kinds[inside] == 1;
    const auto name = lower (before + (inside == folder ? std::string () : fs::path (inside).filename ().string ()));
    if (holds (name, {"dark", "drk"}))
      found.darks = path_of (key, images);
    else if (holds (name, {"flat", "white", "bright", "open", "ref", "beam"}))
      found.flats = path_of (key, images);
    else if (images.names.size () > most) {
      most = images.names.size ();
      found.projections = path_of (key, images);
    }
  }
  if (found.projections.empty ())
    fail (SINO_ERROR_BAD_FILE,
          "'%s' holds no TIFF or PNG images that could be projections, in it or in its folders%s: give the file of the "
          "scan",
          folder.c_str (), found.flats.empty () && found.darks.empty () ? "" : ", only darks and flats");
  if (texts.size () == 1)
    found.angles = texts.front ().string ();
  return found;
}

std::vector<double> angles_of_file (const std::string &path, int64_t projections)
{
  std::ifstream file (path);
  std::vector<double> angles;
  for (std::string word; file >> word;) {
    double angle = 0;
    if (!parse_number (word, angle))
      fail (SINO_ERROR_BAD_FILE, "'%s' holds '%s', where an angle in degrees is wanted", path.c_str (), word.c_str ());
    angles.push_back (angle);
  }
  const auto more = std::ssize (angles) - projections;
  if (more == 0)
    return angles;
  if (more > 0) {
    const double step =
        (angles.back () - angles.front ()) / static_cast<double> (std::max<int64_t> (projections - 1, 1));
    const auto away_from = [near = 0.05 * std::abs (step)] (double end) {
      return [end, near] (double angle) { return std::abs (angle - end) > near; };
    };
    const auto first = std::ranges::find_if (angles, away_from (angles.front ()));
    const auto last = std::find_if (angles.rbegin (), angles.rend (), away_from (angles.back ()));
    const auto before = first - angles.begin () - 1, after = last - angles.rbegin () - 1;
    if (before + after == more)
      return {angles.begin () + before, angles.end () - after};
  }
  fail (SINO_ERROR_BAD_FILE,
        "'%s' holds %zu angles, and there are %" G_GINT64_FORMAT " projections: give --angles=", path.c_str (),
        angles.size (), projections);
}

} // namespace sino::cli
