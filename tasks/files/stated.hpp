// SPDX-License-Identifier: LGPL-3.0-or-later
// What the values in a file stand for, as its metadata state it: value = slope * grey + offset, in a unit.
#pragma once
#include "formats/image-file.hpp"
#include "formats/target.hpp"
#include <map>

namespace sino::files {

using namespace formats;

struct Stated {
  std::optional<Scale> scale; // none: the values in the file are the values themselves
  std::string unit;           // "1/mm", "1/pixel"; "": unknown
  bool any () const { return scale || !unit.empty (); }
};

Stated stated_values (const Planned &planned);

// "value = 1.5e-05 * grey - 0.01 1/mm", for headers that have no field for it; and what such a text states. Numbers
// that are none are NaN.
std::string stated_text (const Stated &stated);
Stated stated_by (std::string_view text);

double number_or_nan (std::string_view word);

// The output for people: its path, size, voxels and values.
std::vector<std::pair<std::string, std::string>> about (const Planned &planned, const std::string &path);

// Images with facts that their head gives, by the names of ImageFile's attributes; lengths are in mm.
class DescribedImages : public ImageFile
{
public:
  using Numbers = std::map<std::string, double, std::less<>>;

  DescribedImages (const std::string &p, std::shared_ptr<const Stack> s, Numbers n, std::string u)
      : ImageFile (p, std::move (s)), numbers_ (std::move (n)), unit (std::move (u))
  {
  }

  std::optional<double> number_attribute (const std::string &name, const char *attribute) const override
  {
    const auto found = name.empty () ? numbers_.find (attribute) : numbers_.end ();
    return found != numbers_.end () ? std::optional (found->second) : std::nullopt;
  }
  std::string text_attribute (const std::string &name, const char *attribute) const override
  {
    const std::string_view asked = attribute;
    return !name.empty () ? "" : asked == "units" ? unit : asked == "pixel_size_units" ? "mm" : "";
  }

private:
  const Numbers numbers_;
  const std::string unit;
};

// The facts of slices: distances of columns and of slices in units of `mm`, left out if they can be none, and a scale.
DescribedImages::Numbers facts_of_slices (double across, double along, double mm, const std::optional<Scale> &scale);

} // namespace sino::files
