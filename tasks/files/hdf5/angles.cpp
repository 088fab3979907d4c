// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/angles.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "tasks/files/hdf5/checksums.hpp"
#include "tasks/files/units.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

namespace {

constexpr const char *usual = "/exchange/theta";

bool is_count (int64_t n, std::span<const int64_t> counts)
{
  return n > 1 && std::ranges::count (counts, n) > 0;
}

// Datasets whose length is one of `counts`, each once.
std::vector<std::string> lists_of (const Hdf5File &file, std::span<const int64_t> counts)
{
  std::vector<std::string> names;
  std::vector<std::array<uint64_t, 2>> seen;
  for (const auto &found : file.list (1, 1)) {
    if (found.name == sums_dataset || found.extent.size () != 1 ||
        !is_count (static_cast<int64_t> (found.extent[0]), counts) || std::ranges::count (seen, found.identity) > 0)
      continue;
    seen.push_back (found.identity);
    names.push_back (found.name);
  }
  return names;
}

std::vector<double> degrees_at (const Hdf5File &file, const std::string &name, double factor)
{
  auto values = file.numbers (name, file.count (name));
  for (auto &value : values) {
    if (!(std::abs (value) <= 1e9))
      fail (SINO_ERROR_BAD_FILE, "%s %s contains %g: numbers must be from -1e9 to 1e9", in_quotes (file.path).c_str (),
            shown (name).c_str (), value);
    value *= factor;
  }
  return values;
}

} // namespace

std::string find_angles (const Hdf5File &file, std::span<const int64_t> counts)
{
  std::vector<std::string> names;
  std::vector<double> known;
  bool differ = false;
  for (const auto &name : lists_of (file, counts)) {
    const auto factor = degrees_in (file.text_attribute (name, "units"));
    if (!factor)
      continue;
    const auto values = degrees_at (file, name, *factor);
    const auto [least, most] = std::ranges::minmax (values);
    if (!(most > least))
      continue; // constant during the scan, so not the projection angles
    if (names.empty ())
      known = values;
    differ = differ || values != known;
    names.push_back (name);
  }
  if (differ)
    fail (SINO_ERROR_BAD_FILE,
          "%s has several lists of %zu angles, which differ: name the right one, as in angles=%s:%s: it has %s",
          in_quotes (file.path).c_str (), known.size (), file.path.c_str (), names[0].c_str (),
          shown (first_of (names)).c_str ());
  return names.empty () ? "" : names[0];
}

StoredAngles read_angles (const std::string &path, const std::string &dataset, std::span<const int64_t> counts)
{
  const Hdf5File file (path);
  auto name = dataset.empty () ? find_angles (file, counts) : dataset;
  if (name.empty () && is_count (file.count (usual), counts))
    name = usual;
  if (name.empty () || file.count (name) == 0) {
    const auto lists = lists_of (file, counts);
    fail (SINO_ERROR_BAD_FILE, "%s has no %s: %s%s", in_quotes (path).c_str (),
          name.empty () ? "list with an angle for each projection and a unit of angles"
                        : ("dataset " + in_quotes (name)).c_str (),
          lists.empty () ? "and no list with a number for each projection"
                         : "name one of the lists with a number for each projection, as in angles=FILE:/NAME: ",
          shown (first_of (lists)).c_str ());
  }
  const auto factor = degrees_in (file.text_attribute (name, "units"));
  return {degrees_at (file, name, factor.value_or (1)), in_quotes (path) + ' ' + shown (name), !factor};
}

} // namespace sino::files
