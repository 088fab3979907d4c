// SPDX-License-Identifier: LGPL-3.0-or-later
// Subtracts scattered light from the counts of projections, before they are divided by those of flats.
#include "base/error.hpp"
#include "filters/detector-image/read.hpp"
#include "formats/open.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "kernels/flat-field/correct.hpp"
#include <algorithm>
#include <cmath>

namespace sino::subtract_scatter {
namespace {

class Subtractor final : public PointWorker
{
public:
  Subtractor (const Replica &replica, std::shared_ptr<const std::vector<float>> i, double n, float t)
      : cpu (replica.cpu), image (std::move (i)), number (static_cast<float> (n)), top (t)
  {
  }

  void process (const Block &in, Block &out) override
  {
    const auto columns = in.line (), rows = in.rows ().size ();
    const auto element = in.format ().element;
    cpu.parallel (
        in.angles ().size () * rows, std::max<int64_t> ((1 << 15) / columns, 1), [&] (int64_t begin, int64_t end) {
          for (auto i = begin; i < end; i++) {
            const auto at = in.offset (i / rows, i % rows);
            auto *to = out.as<float> () + at;
            flat_field::widen (element, in.data () + static_cast<size_t> (at) * size_of (element), columns, to);
            const float *scatter = image->empty () ? nullptr : image->data () + in.rows ().at (i % rows) * columns;
            for (int64_t c = 0; c < columns; c++)
              if (to[c] < top && to[c] != 0) // 'flat-field' knows dead and saturated pixels by these values
                to[c] -= scatter ? scatter[c] : number;
          }
        });
  }

private:
  const Cpu &cpu;
  const std::shared_ptr<const std::vector<float>> image; // [row][column]; empty: the number
  const float number, top;
};

class SubtractScatter final : public PointFilter
{
public:
  static constexpr Info info{"subtract-scatter", "Subtract scattered light from the counts of projections"};
  static constexpr Signature signature{.takes = {Kind::projections, any_element}, .gives = {.elements = Element::f32}};

  double counts = 0;
  std::string image;
  detector_image::Of of = detector_image::Of::automatic;

  static constexpr Property properties[] = {
      prop<&SubtractScatter::counts> ("counts", "Scattered light in each pixel, in counts", Range{0, 1e30}),
      prop<&SubtractScatter::image> (
          "image",
          "File with one image of the scattered light in counts without darks, as measured behind a beam stop"),
      prop<&SubtractScatter::of> ("of", detector_image::of_blurb, detector_image::of_nicks),
  };

  bool takes_lanes () const override { return false; }
  int wanted_lanes (const Device &, int) const override { return 1; }
  bool alters () const override { return true; }
  bool keeps_noise () const override { return true; }
  std::vector<FileStamp> files () const override
  {
    auto path = image;
    formats::take_dataset (path);
    return find_stamps ({path});
  }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    if (!format.changed_by.empty () || (format.values != Meaning::open && format.values != Meaning::counts))
      fail (SINO_ERROR_BAD_FORMAT, "wants counts, got other values%s: put this node before 'flat-field'",
            format.changed_by.empty () ? "" : text (", changed by '%s'", format.changed_by.c_str ()).c_str ());
    if ((counts > 0) == !image.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "give the scattered light as counts= or as image=, one of both");
    values = std::make_shared<const std::vector<float>> (
        image.empty () ? std::vector<float>{}
                       : detector_image::read ("image", image, of, format, "of the scattered light"));
    if (std::ranges::any_of (*values, [] (float value) { return !std::isfinite (value); }))
      fail (SINO_ERROR_BAD_FILE, "image=%s has values that are NaN or infinite: replace them by those around them",
            image.c_str ());
    top = format.greatest ();
    format.top = top;
    format.element = Element::f32;
    format.look = nullptr;
    return format;
  }

  void shared_memory (Bill &bill) const override
  {
    if (values && !values->empty ())
      add_bytes (bill, "image of scattered light", values->size () * sizeof (float));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<Subtractor> (replica, values, counts, top);
  }

private:
  std::shared_ptr<const std::vector<float>> values;
  float top = 0;
};

} // namespace

SINO_REGISTER (SubtractScatter)

} // namespace sino::subtract_scatter
