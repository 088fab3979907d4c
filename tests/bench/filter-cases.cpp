// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/bench/filter-cases.hpp"
#include <algorithm>
#include <fstream>
#include <numbers>

namespace sino::test {

namespace {

// Flats of even brightness, but for some pixels that do not answer.
struct Flats final : Frames {
  int64_t apart = 0; // of pixels that do not; 0: all do

  void read (Interval some, Interval wanted, void *pixels, const Watch &) const override
  {
    auto *counts = static_cast<uint16_t *> (pixels);
    for (int64_t frame = 0; frame < some.size (); frame++)
      for (int64_t row = wanted.begin; row < wanted.end; row++)
        for (int64_t column = 0; column < columns; column++)
          *counts++ = apart > 0 && (row * columns + column) % apart == 0 ? 100 : 60000;
  }
};

Format with_flats (Format format, int64_t apart = 0)
{
  const auto flats = std::make_shared<Flats> ();
  flats->element = Element::u16;
  flats->count = 1;
  flats->rows = format.rows ();
  flats->columns = format.extent (Axis::column);
  flats->apart = apart;
  format.companions.flats = flats;
  return format;
}

Format with_angles (Format format, double degrees)
{
  const auto geometry = std::make_shared<Geometry> ();
  const auto count = format.angles ();
  for (int64_t i = 0; i < count; i++)
    geometry->angles.push_back (degrees / 180 * std::numbers::pi * static_cast<double> (i) /
                                static_cast<double> (count));
  format.geometry = geometry;
  return format;
}

// Barrel distortion of three columns at the corners.
std::string distortion (int columns, const std::string &folder)
{
  auto path = folder + "/distortion.txt";
  std::ofstream (path) << "xcenter = " << 0.5 * columns + 3.3 << "\nycenter = " << 0.5 * columns - 4.1
                       << "\nfactor0 = 1.0\nfactor1 = 0.0\nfactor2 = " << 6.0 / columns / columns / columns << "\n";
  return path;
}

} // namespace

std::vector<FilterCase> filter_cases (int columns, int rows, int angles, const std::string &folder)
{
  const Dim angle{Axis::angle, angles}, row{Axis::row, rows}, column{Axis::column, columns};
  const auto counts = with_flats (projections (Element::u16, angle, row, column)),
             values = with_angles (projections (Element::f32, angle, row, column), 180),
             sinogram = with_angles (sinograms (Element::f32, row, angle, column), 180),
             whole_turn = with_angles (values, 360),
             images = projections (Element::f32, {Axis::angle, 8}, {Axis::row, columns}, column),
             raw_images = with_flats (projections (Element::u16, {Axis::angle, 8}, {Axis::row, columns}, column), 9973);
  auto count_sinograms = counts;
  count_sinograms.axes = {row, angle, column};

  std::vector<FilterCase> cases;
  const auto add = [&] (const std::string &name, const Format &input, int lanes = 1,
                        const std::vector<std::pair<std::string, std::string>> &more = {}) {
    FilterCase out{name, name.substr (0, name.find (' ')), more, {input}, lanes};
    for (auto at = name.find (' '); at != name.npos;) {
      const auto is = name.find ('=', at), next = name.find (' ', is);
      out.properties.emplace_back (name.substr (at + 1, is - at - 1), name.substr (is + 1, next - is - 1));
      at = next;
    }
    cases.push_back (out);
  };

  // Values one by one.
  add ("flat-field", counts);
  add ("flat-field absorption=false", counts);
  cases.push_back ({"flat-field of sinograms", "flat-field", {}, {count_sinograms}, std::min (rows, 16)});
  add ("minus-log", values);
  add ("calculate expression=x*2+1", values);
  add ("calculate expression=-log(x)*2+x^2", sinogram, std::min (rows, 16));
  add ("rescale type=f32", values, 1, {{"min", "0.2"}, {"max", "0.8"}});
  add ("rescale type=u16", values, 1, {{"min", "0.2"}, {"max", "0.8"}});
  add ("percentiles", values);
  add ("half-pack", values);
  // Pixels that move.
  for (const auto element : {Element::u16, Element::f32})
    for (const int lanes : {1, 4, 16, 32})
      if (lanes <= rows)
        cases.push_back ({std::string ("interleave of ") + name_of (element) + ", lanes " + std::to_string (lanes),
                          "interleave",
                          {},
                          {projections (element, angle, row, column)},
                          lanes});
  add ("crop", images, 1,
       {{"x", std::to_string (columns / 8)},
        {"width", std::to_string (columns * 3 / 4)},
        {"y", std::to_string (columns / 8)},
        {"height", std::to_string (columns * 3 / 4)}});
  add ("pad mode=edge", images, 1, {{"left", "256"}, {"right", "256"}, {"top", "256"}, {"bottom", "256"}});
  add ("pad mode=reflect", images, 1, {{"left", "256"}, {"right", "256"}, {"top", "256"}, {"bottom", "256"}});
  add ("bin columns=2", images);
  add ("bin columns=4", images);
  add ("transpose", images);
  add ("flip direction=horizontal", images);
  add ("flip direction=vertical", images);
  for (const char *way : {"linear", "cubic"}) {
    const std::string interpolation = std::string (" interpolation=") + way;
    add ("rotate" + interpolation, images, 1, {{"angle", "0.7"}});
    add ("shift" + interpolation, images, 1, {{"dx", "3.25"}, {"dy", "1.5"}});
    add ("undistort" + interpolation, images, 1, {{"file", distortion (columns, folder)}});
  }
  add ("stitch-360", whole_turn, 1, {{"axis", std::to_string (columns / 8) + ".3"}});
  add ("average number=4", values);
  add ("concatenate overlap=4", values);
  cases.back ().inputs.push_back (values);
  // What is wrong with single pixels.
  add ("correct-bad-pixels find=yes", raw_images);
  for (const char *size : {"3", "5"})
    add (std::string ("median size=") + size, images);
  add ("median direction=angle", values);
  for (const char *size : {"3", "5"})
    add (std::string ("remove-outliers size=") + size, images, 1, {{"threshold", "0.5"}});
  add ("remove-outliers direction=angle", values, 1, {{"threshold", "0.5"}});
  for (const char *sigma : {"1", "3"})
    add (std::string ("unsharp sigma=") + sigma, images);
  for (const char *method : {"paganin", "bronnikov-aided", "tie", "ctf", "qp", "qp2"})
    add (std::string ("retrieve-phase method=") + method, images, 1,
         {{"energy", "20"}, {"distance", "0.1"}, {"pixel-size", "1e-6"}, {"delta-beta", "1000"}});
  // Whole sinograms.
  for (const char *method : {"offset", "sorting", "large", "dead", "all", "wavelet-fourier"})
    add (std::string ("remove-stripes method=") + method, sinogram, std::min (rows, 8));
  add ("ramp-filter", values);
  cases.push_back ({"ramp-filter of sinograms", "ramp-filter", {}, {sinogram}, std::min (rows, 16)});
  add ("fourier-reconstruct", sinogram, 0);
  add ("back-project", sinogram, 0);
  return cases;
}

} // namespace sino::test
