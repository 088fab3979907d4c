// SPDX-License-Identifier: LGPL-3.0-or-later
// Removes stripes of sinograms, which would be rings in slices.
#include "base/error.hpp"
#include "filters/remove-stripes/look.hpp"
#include "filters/remove-stripes/native.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "kernels/remove-stripes/ranks.hpp"
#include <bit>

namespace sino::remove_stripes {
namespace {

class OnCpu final : public PointWorker
{
public:
  OnCpu (const Replica &replica, std::shared_ptr<const Remover> r, std::shared_ptr<Mirrored> m)
      : cpu (replica.cpu), memory (replica.memory), remover (std::move (r)), looks (replica.messages, std::move (m))
  {
  }

  void process (const Block &in, Block &out) override
  {
    const Shape shape{in.angles ().size (), in.line () * in.lanes (), in.lanes ()};
    const auto size = shape.angles * shape.columns, rows = in.rows ().size ();
    for (int64_t row = 0; row < rows; row += shape.lanes)
      remover->remove (cpu, memory, shape, std::min (shape.lanes, rows - row),
                       in.as<float> () + row / shape.lanes * size, out.as<float> () + row / shape.lanes * size);
    looks.add (taken_from (shape, in.as<float> (), out.as<float> ()));
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const std::shared_ptr<const Remover> remover;
  Looks looks;
};

class RemoveStripes final : public PointFilter
{
public:
  static constexpr Info info{"remove-stripes", "Remove stripes from sinograms, which would be rings in slices"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}};

  Settings settings;

  static constexpr auto properties = group<&RemoveStripes::settings> ();

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    if (format.angles () > most_angles)
      fail (SINO_ERROR_BAD_FORMAT, "takes at most %d angles, got %s", most_angles, format.describe ().c_str ());
    check_odd ("sm-size", settings.sm_size);
    check_odd ("la-size", settings.la_size);
    const auto angles = format.angles ();
    columns = format.extent (Axis::column);
    values = format.bytes () / sizeof (float);
    if (settings.method == Method::wavelet_fourier) {
      const auto most =
          std::max (1, static_cast<int> (std::bit_width (static_cast<uint64_t> (std::max (angles, columns) - 1))));
      if (settings.levels > most)
        fail (SINO_ERROR_BAD_PROPERTY, "levels=%d is too large for %s: give at most %d", settings.levels,
              format.describe ().c_str (), most);
    }
    remover = make_remover (settings, angles, columns);
    mirrored = std::make_shared<Mirrored> ();
    format.mark_changed (info.name);
    return format;
  }

  bool keeps_noise () const override { return true; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    const auto lanes = sizing.input_layouts[0].lanes;
    add_bytes (bill, "numbers of columns",
               static_cast<size_t> (lanes * columns) * (sizeof (Bridge) + 8 * sizeof (double)));
    remover->memory (lanes, sizing.threads, 1, bill);
  }

  double seconds (const Device &, int threads) const override { return values * 2e-8 / threads; }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<OnCpu> (replica, remover, mirrored);
  }

private:
  static constexpr int most_angles = 65536; // the sort stores angles as 16 bits

  int64_t columns = 0;
  double values = 0; // number of values in the whole stream
  std::shared_ptr<const Remover> remover;
  std::shared_ptr<Mirrored> mirrored; // sums of removed values in the current run

  static void check_odd (const char *property, int size)
  {
    if (size % 2 == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%d is even: give %d or %d", property, size, size - 1, size + 1);
  }
};

} // namespace

SINO_REGISTER (RemoveStripes)

} // namespace sino::remove_stripes
