// SPDX-License-Identifier: LGPL-3.0-or-later
// Slices of an object, as a perfect reconstruction of the projections of `simulate` would give.
#include "glue/binding.hpp"
#include "glue/shapes.hpp"
#include "tasks/objects/named.hpp"

namespace sino::phantom {

using namespace objects;
namespace {

class PhantomWorker final : public SourceWorker
{
public:
  PhantomWorker (const Cpu &c, const Body &b, int64_t slices, int samples)
      : cpu (c), body (b), height (static_cast<double> (slices)), n (samples)
  {
  }

  void fill (Block &out) override
  {
    const auto width = out.format ().extent (Axis::x);
    cpu.parallel (out.rows ().size () * width, 16, [&] (int64_t begin, int64_t end) {
      std::vector<double> line (static_cast<size_t> (width));
      for (auto i = begin; i < end; i++) {
        draw (static_cast<double> (out.rows ().at (i / width)), static_cast<double> (i % width), line);
        std::copy (line.begin (), line.end (), out.as<float> () + i * width);
      }
    });
  }

private:
  // The mean over n x n x n points in each pixel of a line.
  void draw (double z, double y, std::span<double> line) const
  {
    const double middle = 0.5 * static_cast<double> (line.size ());
    const int deep = body.uniform () ? 1 : n;
    std::ranges::fill (line, 0.0);
    for (int sz = 0; sz < deep; sz++)
      for (int sy = 0; sy < n; sy++)
        for (int sx = 0; sx < n; sx++)
          body.sample (y + (sy + 0.5) / n - middle, z + (sz + 0.5) / deep - height / 2, (sx + 0.5) / n - middle,
                       1.0 / (deep * n * n), line);
  }

  const Cpu &cpu;
  const Body &body;
  double height;
  int n;
};

class Phantom : public Source
{
public:
  static constexpr Info info{"phantom", "Make slices of an object of ellipsoids, as a perfect reconstruction would"};
  static constexpr Signature signature{.gives = {Kind::slices, Element::f32}};

  std::string object = "shepp-logan";
  int width = 512, height = 1;
  double density = 2, z = 0;
  int supersampling = 1;

  static constexpr Property properties[] = {
      prop<&Phantom::object> ("object", "shepp-logan, shepp-logan-3d, resolution, or a JSON list of ellipsoids"),
      prop<&Phantom::width> ("width", "Width and height of a slice, as many as the detector has columns", {1, 1 << 20}),
      prop<&Phantom::height> ("height", "Slices, as many as the detector has rows", {1, 1 << 20}),
      prop<&Phantom::density> ("density", "Attenuation of a value of 1 along half the width", {0, 1e6}),
      prop<&Phantom::z> ("z", "Height of the middle slice in the object, in half widths", {-1e6, 1e6}),
      prop<&Phantom::supersampling> ("supersampling", "Samples per pixel and direction; 1: at the centre", {1, 64}),
  };

  std::vector<FileStamp> files () const override { return find_stamps ({object}); }

  Format negotiate (std::span<const Format *const>) override
  {
    body = std::make_shared<const Body> (load_object (object), 0.5 * width, density, z);
    Format format = slices (Element::f32, {Axis::z, height}, {Axis::y, width}, {Axis::x, width});
    format.geometry = std::make_shared<const Geometry> ();
    return format;
  }

  double bytes_read (const Format &, const Rows &) const override { return 0; }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    add_bytes (bill, "line of a thread", static_cast<size_t> (width) * sizeof (double),
               static_cast<size_t> (sizing.threads));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<PhantomWorker> (replica.cpu, *body, height, supersampling);
  }

private:
  std::shared_ptr<const Body> body;
};

} // namespace

SINO_REGISTER (Phantom)

} // namespace sino::phantom
