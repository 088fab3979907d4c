// SPDX-License-Identifier: LGPL-3.0-or-later
// Exact projections of ellipsoids in any geometry, as line integrals or as detector counts.
#include "glue/binding.hpp"
#include "glue/scan.hpp"
#include "glue/shapes.hpp"
#include "tasks/objects/detector.hpp"
#include "tasks/objects/named.hpp"

namespace sino::simulate {

using namespace objects;
namespace {

// Darks or flats, computed when they are read.
class SimulatedFrames final : public Frames
{
public:
  struct Frame {
    double position, beam;
  };

  SimulatedFrames (std::shared_ptr<const Detector> d, Shot s, const std::vector<Frame> &list, const Format &like)
      : detector (std::move (d)), shot (s), frames (list)
  {
    element = like.element;
    count = static_cast<int64_t> (list.size ());
    rows = like.extent (Axis::row);
    columns = like.extent (Axis::column);
    scratch_bytes = static_cast<size_t> (columns) * sizeof (double);
    for (const auto &frame : list)
      positions.push_back (frame.position);
  }

  void read (Interval some, Interval of_rows, void *pixels, const Watch &watch) const override
  {
    const std::vector<double> open (static_cast<size_t> (columns), shot == Shot::dark ? 0.0 : 1.0);
    int64_t at = 0;
    for (auto frame = some.begin; frame < some.end; frame++) {
      if (watch.monitor)
        watch.monitor->check ();
      const double beam = frames[static_cast<size_t> (frame)].beam;
      for (auto row = of_rows.begin; row < of_rows.end; row++, at += columns)
        detector->expose (shot, frame, row, beam, open, element, pixels, at);
    }
  }

private:
  std::shared_ptr<const Detector> detector;
  Shot shot;
  std::vector<Frame> frames;
};

struct Rays {
  std::shared_ptr<const Body> body;
  std::shared_ptr<const Geometry> geometry;
  int64_t width, height;
  int supersampling;

  bool same_in_rows () const { return geometry->views.empty () && body->uniform (); }

  // For each pixel of one row, the mean over several rays: of line integrals, or (`passing`) of the transmission exp
  // (-integral).
  void trace (int64_t angle, int64_t row, bool passing, std::span<double> line) const
  {
    const double n = supersampling;
    std::vector<double> ray (line.size ());
    std::ranges::fill (line, 0.0);
    const int down = same_in_rows () ? 1 : supersampling;
    for (int sy = 0; sy < down; sy++)
      for (int sx = 0; sx < supersampling; sx++) {
        const double v = static_cast<double> (row) + (sy + 0.5) / down;
        std::ranges::fill (ray, 0.0);
        const auto i = static_cast<size_t> (angle);
        if (geometry->views.empty ())
          body->project (geometry->angles[i], v - static_cast<double> (height) / 2, (sx + 0.5) / n - geometry->axis[0],
                         ray);
        else
          body->project (geometry->views[i], (sx + 0.5) / n, v, ray);
        for (size_t u = 0; u < line.size (); u++)
          line[u] += (passing ? std::exp (-ray[u]) : ray[u]) / (n * down);
      }
  }
};

class SimulateWorker final : public SourceWorker
{
public:
  SimulateWorker (const Cpu &c, const Rays &r, std::shared_ptr<const Detector> d, double decline)
      : cpu (c), rays (r), detector (std::move (d)), drift (decline)
  {
  }

  void fill (Block &out) override
  {
    const auto rows = out.rows ().size ();
    cpu.parallel (out.angles ().size () * rows, 4, [&] (int64_t begin, int64_t end) {
      std::vector<double> line (static_cast<size_t> (rays.width));
      for (auto i = begin; i < end; i++) {
        const auto angle = out.angles ().begin + i / rows, row = out.rows ().at (i % rows);
        if (i == begin || i % rows == 0 || !rays.same_in_rows ())
          rays.trace (angle, row, bool (detector), line);
        const auto at = out.offset (i / rows, i % rows);
        const double beam = 1 - drift * (static_cast<double> (angle) + 0.5);
        if (!detector)
          std::copy (line.begin (), line.end (), out.as<float> () + at);
        else
          detector->expose (Shot::projection, angle, row, beam, line, out.format ().element, out.data (), at);
      }
    });
  }

private:
  const Cpu &cpu;
  const Rays &rays;
  std::shared_ptr<const Detector> detector;
  double drift; // fraction of the beam that is lost per projection
};

class Simulate : public Source
{
public:
  static constexpr Info info{
      "simulate", "Make exact projections of an object of ellipsoids, optionally with noise and faults of a detector"};
  static constexpr Signature signature{.gives = {Kind::projections, Element::u16 | Element::f32}};

  std::string object = "shepp-logan";
  int width = 512, height = 1;
  double density = 2, z = 0;
  int supersampling = 1;
  Element type = Element::f32;
  double photons = 0;
  int seed = 1, darks = 0, flats = 0, flats_after = 0;
  double drift = 0, structure = 0, dead_pixels = 0, dark_level = 100, exposure = 0.8;
  int bits = 12;
  ScanSettings scan;

  static constexpr Nick<Element> types[] = {{Element::f32, "f32"}, {Element::u16, "u16"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&Simulate::object> ("object", "shepp-logan, shepp-logan-3d, resolution, or a JSON list of ellipsoids"),
          prop<&Simulate::width> ("width", "Detector columns", Range{1, 1 << 20}),
          prop<&Simulate::height> ("height", "Detector rows", Range{1, 1 << 20}),
      },
      group<&Simulate::scan> (),
      std::array{
          prop<&Simulate::density> ("density", "Attenuation of a value of 1 along half the width", Range{0, 1e6}),
          prop<&Simulate::z> ("z", "Height of the middle row in the object, in half widths", Range{-1e6, 1e6}),
          prop<&Simulate::supersampling> ("supersampling", "Rays per detector bin and direction", Range{1, 64}),
          prop<&Simulate::type> ("type", "Element type", types),
          prop<&Simulate::photons> ("photons", "Photons per pixel in the open beam; 0: no noise", Range{0, 1e12}),
          prop<&Simulate::seed> ("seed", "Seed of the random numbers for noise and faults", Range{0, 2147483647}),
          prop<&Simulate::darks> ("darks", "Dark frames", Range{0, 1 << 16}),
          prop<&Simulate::flats> ("flats", "Flat frames before the scan", Range{0, 1 << 16}),
          prop<&Simulate::flats_after> ("flats-after", "Flat frames after the scan", Range{0, 1 << 16}),
          prop<&Simulate::drift> ("drift", "Fraction of the beam that is lost during the scan", Range{0, 1}),
          prop<&Simulate::structure> ("structure", "Strength of uneven illumination, gain and darks", Range{0, 1}),
          prop<&Simulate::dead_pixels> ("dead-pixels", "Fraction of pixels that always read 0", Range{0, 1}),
          prop<&Simulate::dark_level> ("dark-level", "Counts without beam", Range{0, 65535}),
          prop<&Simulate::exposure> ("exposure", "Counts of the open beam as a fraction of the highest count",
                                     Range{0.001, 1}),
          prop<&Simulate::bits> ("bits", "Bits of a count, which determine the highest count", Range{1, 16}),
      });

  std::vector<FileStamp> files () const override { return find_stamps ({object, scan.beam.geometry}); }

  Format negotiate (std::span<const Format *const>) override
  {
    const auto geometry = std::make_shared<const Geometry> (scan.geometry (width, height));
    rays = {.body = std::make_shared<const Body> (load_object (object), half_width (*geometry), density, z),
            .geometry = geometry,
            .width = width,
            .height = height,
            .supersampling = supersampling};
    Format format =
        sino::projections (type, {Axis::angle, scan.projections}, {Axis::row, height}, {Axis::column, width});
    format.geometry = geometry;
    detector.reset ();
    if (counts ())
      expose (format);
    else
      format.changed_by = info.name;
    return format;
  }

  double bytes_read (const Format &, const Rows &) const override { return 0; }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    // One more thread for darks and flats.
    add_bytes (bill, "lines of a thread", static_cast<size_t> (width) * 3 * sizeof (double),
               static_cast<size_t> (sizing.threads) + 1);
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<SimulateWorker> (replica.cpu, rays, detector, drift / scan.projections);
  }

private:
  // Whether any detector property is set, so that line integrals are converted to counts.
  bool counts () const
  {
    return type != Element::f32 || photons > 0 || darks > 0 || flats > 0 || flats_after > 0 || drift > 0 ||
           structure > 0 || dead_pixels > 0;
  }

  // Half of the detector's width, projected to the axis; in columns for a plain parallel beam.
  double half_width (const Geometry &geometry) const
  {
    if (geometry.views.empty ())
      return 0.5 * width;
    const auto &first = geometry.views[0];
    return 0.5 * width * length (first.column) * project (matrix_of (first), {0, 0, 0}).weight;
  }

  void expose (Format &format)
  {
    const double top = (1 << bits) - 1;
    if (dark_level * 1.1 >= exposure * top)
      fail (SINO_ERROR_BAD_PROPERTY,
            "dark-level: %g counts are not below the open beam's %g (exposure %g of %d bits): lower dark-level, or "
            "raise bits",
            dark_level, exposure * top, exposure, bits);
    detector = std::make_shared<const Detector> (DetectorOptions{.width = width,
                                                                 .height = height,
                                                                 .photons = photons,
                                                                 .open = exposure * top - dark_level,
                                                                 .dark = dark_level,
                                                                 .top = top,
                                                                 .structure = structure,
                                                                 .dead = dead_pixels,
                                                                 .seed = static_cast<uint32_t> (seed)});
    const double end = scan.projections - 0.5;
    using List = std::vector<SimulatedFrames::Frame>;
    List list (static_cast<size_t> (flats), {-0.5, 1});
    list.insert (list.end (), static_cast<size_t> (flats_after), {end, 1 - drift});
    const List none (static_cast<size_t> (darks), {-0.5, 0});
    if (!list.empty ())
      format.companions.flats = std::make_shared<SimulatedFrames> (detector, Shot::flat, list, format);
    if (!none.empty ())
      format.companions.darks = std::make_shared<SimulatedFrames> (detector, Shot::dark, none, format);
    format.companions.from = info.name;
  }

  Rays rays;
  std::shared_ptr<const Detector> detector;
};

} // namespace

SINO_REGISTER (Simulate)

} // namespace sino::simulate
