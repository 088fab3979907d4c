// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects the radial distortion of a lens, by the polynomial that Discorpy finds.
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "filters/move-pixels/filter.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/resampled.hpp"
#include "glue/module.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"
#include <algorithm>
#include <cmath>
#include <map>

namespace sino::undistort {
namespace {
using namespace move_pixels;

struct Distortion {
  double x = 0, y = 0; // centre of distortion, counted from the centre of the first pixel
  std::vector<double> factors;
};

class Undistorted final : public Resampled
{
public:
  Undistorted (const Shape &shape, Interpolation i, Distortion d)
      : Resampled (shape.element, shape.extent, i, Mixes::rows_too), distortion (std::move (d))
  {
    for (int64_t row = 0; row < from.height; row++) {
      step_unless_cancelled ();
      Reach reach{HUGE_VAL, -HUGE_VAL};
      for (int64_t column = 0; column < from.width; column++) {
        const auto place = source (column, row).row;
        reach = {std::min (reach.first, place), std::max (reach.last, place)};
      }
      reaches.push_back (reach);
    }
  }

protected:
  void points (int64_t, int64_t row, Interval columns, double *from_columns, double *from_rows) const override
  {
    fill (columns, from_columns, from_rows, [&] (int64_t column) { return source (column, row); });
  }
  Reach reach_of (int64_t row) const override { return reaches[static_cast<size_t> (row)]; }

private:
  const Distortion distortion;
  std::vector<Reach> reaches; // by row

  Point source (int64_t column, int64_t row) const
  {
    const double x = static_cast<double> (column) - distortion.x, y = static_cast<double> (row) - distortion.y,
                 r = std::sqrt (x * x + y * y);
    double factor = 0;
    for (auto k = distortion.factors.rbegin (); k != distortion.factors.rend (); ++k)
      factor = factor * r + *k;
    return {std::clamp (distortion.x + factor * x, 0.0, static_cast<double> (from.width - 1)),
            std::clamp (distortion.y + factor * y, 0.0, static_cast<double> (from.height - 1))};
  }
};

// Reads lines like "factor0 = 1.0006", which Discorpy's save_metadata_txt writes.
Distortion read_distortion (const std::string &path)
{
  std::map<std::string, double> found;
  for (const auto &line : split (read_input ("file", path, 1 << 16), '\n')) {
    const auto parts = split (line, '=');
    const auto trimmed = [] (std::string word) { return std::string (g_strstrip (word.data ())); };
    if (trimmed (line).empty ())
      continue;
    double number = 0;
    if (parts.size () != 2 || !parse_number (trimmed (parts[1]), number) || !(std::abs (number) <= 1e9))
      fail (SINO_ERROR_BAD_FILE, "file=%s: '%s' is not a line like 'factor0 = 1.0006'", path.c_str (),
            trimmed (line).c_str ());
    found[trimmed (parts[0])] = number;
  }
  const auto take = [&] (const std::string &name) {
    const auto place = found.find (name);
    if (place == found.end ())
      fail (SINO_ERROR_BAD_FILE,
            "file=%s has no '%s': give a file with lines for xcenter, ycenter, factor0, factor1 ..., as Discorpy's "
            "save_metadata_txt writes it",
            path.c_str (), name.c_str ());
    const auto number = place->second;
    found.erase (place);
    return number;
  };
  Distortion distortion{take ("xcenter"), take ("ycenter"), {take ("factor0")}};
  while (!found.empty ())
    distortion.factors.push_back (take (text ("factor%zu", distortion.factors.size ())));
  return distortion;
}

const families::Family &family ()
{
  static const auto all = resampling_family ("undistort", {{.name = "file", .help = "Text file of Discorpy"}});
  return all;
}

class Undistort final : public MovingFilter
{
public:
  static constexpr Info info{"undistort", "Correct the radial distortion of a lens in projections"};
  static constexpr Signature signature{.takes = {Kind::projections, any_element}, .gives = {.elements = Element::f32}};

  std::string file;
  Interpolation interpolation = Interpolation::linear;

  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&Undistort::file> ("file", "Text file of Discorpy with xcenter, ycenter, factor0, factor1 ..."),
          prop<&Undistort::interpolation> ("interpolation", "linear, or a cubic spline through all pixels",
                                           interpolations),
      },
      kernel_properties<&Undistort::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  bool takes_lanes () const override { return false; }
  std::vector<FileStamp> files () const override { return find_stamps ({file}); }

protected:
  void settle (const families::Problem &problem) override { opencl.negotiated (problem); }
  const char *hides_places () const override { return info.name; }
  void check (const Format &input) override
  {
    want_unfiltered (input);
    if (file.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "file= is missing: give the text file from Discorpy");
    const auto &column = input.axes[2], &row = input.axes[1];
    if (column.step != 1 || row.step != 1)
      fail (SINO_ERROR_BAD_FORMAT,
            "the file is for the pixels of the detector, but the stream has only some of them, or other ones: put this "
            "node before 'bin' and 'flip', and leave out the step of rows= and columns=");
    distortion = read_distortion (file);
    // The file counts the centre from the first pixel of the detector, an image from the first pixel of its part.
    distortion.x -= static_cast<double> (column.first);
    distortion.y -= static_cast<double> (row.first);
  }

  std::shared_ptr<const Move> move (const Shape &shape) const override
  {
    return std::make_shared<Undistorted> (shape, interpolation, distortion);
  }

  // The geometry stays: it describes a detector without distortion.
  void follow (const Format &, Format &, Geometry &) const override {}

private:
  Distortion distortion;
};

} // namespace

SINO_REGISTER (Undistort)

} // namespace sino::undistort
