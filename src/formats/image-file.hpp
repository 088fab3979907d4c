// SPDX-License-Identifier: LGPL-3.0-or-later
// Images that were opened, and the data stored beside them. Names follow DXchange:
//
//   data_dark, data_white             stacks of frames: darks and flats
//   theta, theta_dark, theta_white    angles of the images or frames; degrees, or radians by the attribute 'units'
//   position_dark, position_white     time of each frame, counted in projections: -0.5 is before the first one
//   rotation_axis                     centre of rotation in columns: one for all projections, or one for each
//   pixel_size, pixel_size_units      attributes of the images, a length, and "mm" if it is in mm
//   voxel_size, slice_distance        attributes of slices: distances of columns and of slices in mm
//   scale_factor, add_offset, units   attributes of slices: value = scale_factor * stored + add_offset, in units, as in
//   CF
//                                     (cfconventions.org)
//   geometry                          12 numbers for each image; its attribute 'convention' gives their meaning
//
// Names that begin with '/' are paths in the file.
//
// Most formats have none of these and need only the constructor.
#pragma once
#include "base/shown.hpp"
#include "formats/stack.hpp"
#include <memory>
#include <optional>

namespace sino::formats {

struct StatedScan;

class ImageFile
{
public:
  // `path` as the user gave it, for messages.
  ImageFile (std::string p, std::shared_ptr<const Stack> s) : path (std::move (p)), stack (std::move (s)) {}
  virtual ~ImageFile () = default;

  const std::string path;
  const std::shared_ptr<const Stack> stack;

  // Place of an item in the file, for messages: "/exchange/theta". The images themselves have the name "".
  virtual std::string place (const std::string &name) const { return name; }

  // count (): number of values, 0 if there is no such item. numbers (): all values, if their number is the given one.
  virtual int64_t count (const std::string &) const { return 0; }
  virtual std::vector<double> numbers (const std::string &, int64_t) const { return {}; }

  // Empty, or "", if there is no such attribute.
  virtual std::optional<double> number_attribute (const std::string &, const char *) const { return {}; }
  virtual std::string text_attribute (const std::string &, const char *) const { return {}; }

  // The name of a list whose unit shows that it holds angles, and whose length is one of `counts`; "" if there is none.
  virtual std::string angle_list (std::span<const int64_t> /*counts*/) const { return {}; }

  // Darks or flats; null if there are none. Any part can be read at any time. `messages` gets messages for people.
  virtual std::shared_ptr<const Stack> frames (const std::string &, std::vector<std::string> & /*messages*/) const
  {
    return nullptr;
  }

  // Geometry and meaning of the values, where the file of a scanner gives them; null: it does not
  // (formats/stated-scan.hpp).
  virtual const StatedScan *stated () const { return nullptr; }

  // "'scan.h5' /exchange/data"
  std::string title (const std::string &name = {}) const
  {
    const auto where = place (name);
    return in_quotes (path) + (where.empty () ? "" : " " + shown (where));
  }
};

} // namespace sino::formats
