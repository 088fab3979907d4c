// SPDX-License-Identifier: LGPL-3.0-or-later
// Reconstructs one row for each of several rotation axes, and finds the sharpest slice.
#include "base/error.hpp"
#include "device/sharpness.hpp"
#include "filters/fourier-reconstruct/words.hpp"
#include "filters/ramp-filter/words.hpp"
#include "filters/slice/axis-range.hpp"
#include "filters/slice/slices.hpp"
#include "filters/slice/trials.hpp"
#include "glue/module.hpp"
#include <mutex>

namespace sino::try_axes {
namespace {
using namespace slice;
using ramp_filter::Window;

// Sharpness of each slice, from all workers. The message is written when all are there.
struct Sharpness {
  std::mutex mutex;
  std::vector<double> values;
  size_t left;

  explicit Sharpness (size_t n) : values (n), left (n) {}
};

std::string verdict (const std::vector<double> &axes, const std::vector<double> &values)
{
  if (axes.size () < 2)
    return {};
  const auto peak = peak_of (values);
  if (!(values[peak.place] > 0))
    return "no slice has details whose sharpness could be compared: choose another row";
  const double step = axes[1] - axes[0];
  if (!peak.inside)
    return text ("the %s slice, at axis=%g, is the sharpest: the axis may lie beyond it",
                 peak.place == 0 ? "first" : "last", axes[peak.place]);
  return text ("slices are sharpest at axis=%.6g (a parabola through axis=%g and its neighbours)",
               axes[peak.place] + peak.offset * step, axes[peak.place]);
}

class Trying final : public Worker
{
public:
  Trying (const Replica &replica, const fourier_reconstruct::Job &job, const std::vector<double> &a, int64_t r,
          std::shared_ptr<Sharpness> s)
      : cpu (replica.cpu), messages (replica.messages), axes (a), row (r), sharp (std::move (s)),
        trials (job, axes.front (), axes.back (), replica.cpu, replica.monitor, replica.memory)
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    Block sinogram;
    while (Block in = inputs[0]->pop ())
      if (in.rows ().place (row) >= 0)
        sinogram = std::move (in);
    while (Block out = output->next ()) {
      const auto lines = out.format ().axes[1].extent, columns = out.format ().axes[2].extent;
      for (int64_t i = 0; i < out.rows ().size (); i++) {
        auto *slice = out.as<float> () + out.offset (0, i);
        const auto number = static_cast<size_t> (out.rows ().at (i));
        float *const slices[] = {slice};
        trials.make (axes[number], {sinogram.as<float> () + sinogram.offset (0, sinogram.rows ().place (row)), 1, 1},
                     slices);
        found (number, slice_sharpness (slice, lines, columns, cpu));
      }
      output->push (std::move (out));
    }
  }

private:
  const Cpu &cpu;
  Messages &messages;
  const std::vector<double> &axes;
  const int64_t row;
  const std::shared_ptr<Sharpness> sharp;
  Trials trials;

  void found (size_t number, double value)
  {
    const std::lock_guard guard (sharp->mutex);
    sharp->values[number] = value;
    if (--sharp->left == 0)
      if (auto said = verdict (axes, sharp->values); !said.empty ())
        messages.add (std::move (said));
  }
};

class TryAxes final : public Task
{
public:
  static constexpr Info info{"try-axes", "Reconstruct one row with several rotation axes"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}, .gives = {Kind::slices}};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const Format &in = *inputs[0];
    check_sinograms (in);
    if (window != Window::none)
      check_not_filtered (in);
    if (fourier_reconstruct::stack_lanes () == 0)
      fail (SINO_ERROR_DEVICE, "this CPU does not have the vector instructions that this node needs");
    axes = axes_of (settings.axis);
    place = place_of_row (in.dim (Axis::row), row);
    const auto columns = in.extent (Axis::column);
    auto one = settings;
    one.axis = text ("%.17g", axes.front ());
    rays = one.rays (in);
    job = {.size = columns,
           .rays = rays,
           .filter = {window, ramp.cutoff, ramp.order, ramp.power, in.geometry->pixel_size.value_or (1)},
           .edge = ramp.padding_mode != ramp_filter::Padding::zero,
           .width = fourier_reconstruct::width_for (grid.accuracy),
           .mask = settings.mask,
           .roi = settings.region (columns)};
    notes = one.notes (in);
    for (const double axis : {axes.front (), axes.back ()}) {
      auto at = rays;
      for (auto &ray : at)
        ray.origin = axis - 0.5;
      check_axis (at, columns, job.roi);
    }
    sharp = std::make_shared<Sharpness> (axes.size ());
    Format out = slices_of (in, job.roi, info.name);
    out.axes[0] = {Axis::z, std::ssize (axes)};
    auto geometry = std::make_shared<Geometry> ();
    geometry->axis = axes;
    geometry->pixel_size = in.geometry->pixel_size;
    geometry->in_mm = in.geometry->in_mm;
    out.geometry = std::move (geometry);
    return out;
  }

  std::vector<FileStamp> files () const override { return find_stamps ({settings.axis}); }
  std::vector<std::string> warnings () const override { return notes; }
  Rows demand (size_t, const Format &, const Rows &wanted) const override
  {
    return wanted.empty () ? Rows{} : Rows{place, place + 1};
  }
  bool collects (size_t) const override { return true; }
  int wanted_lanes (const Device &, int) const override { return 1; }

  void memory (const Sizing &sizing, Bill &all) const override
  {
    Trials::memory (job, axes.front (), axes.back (), sizing.threads, all);
    add_bytes (all, "lines of gradients", sharpness_scratch (job.roi.width), static_cast<size_t> (sizing.threads));
  }
  void shared_memory (Bill &all) const override
  {
    add_bytes (all, "rays and axes", rays.size () * sizeof (Ray) + 2 * axes.size () * sizeof (double));
  }

  double updates_per_row () const override { return job.roi.pixels () * static_cast<double> (rays.size ()); }
  std::string remark (const Device &, int) const override
  {
    return text ("native kernel, %s, %zu axes from %g to %g",
                 fourier_reconstruct::vectors_for (fourier_reconstruct::stack_lanes ()).name, axes.size (),
                 axes.front (), axes.back ());
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<Trying> (replica, job, axes, place, sharp);
  }

private:
  SliceSettings settings;
  int row = -1;
  Window window = Window::sinc;
  ramp_filter::RampSettings ramp;
  fourier_reconstruct::GriddingSettings grid;

  // Settled by negotiation:
  std::vector<double> axes;
  int64_t place = 0; // index of the row in the stream
  std::vector<Ray> rays;
  fourier_reconstruct::Job job{};
  std::vector<std::string> notes;
  std::shared_ptr<Sharpness> sharp;

public:
  static constexpr auto properties = joined (
      group<&TryAxes::settings> (),
      std::array{prop<&TryAxes::row> ("row", "Number of the detector row in the scan; -1: the middle one",
                                      Range{-1, 2147483647}),
                 prop<&TryAxes::window> (
                     "window",
                     "Window of the ramp filter; ram-lak: the ramp without a window; none: rows are not filtered",
                     ramp_filter::window_nicks)},
      group<&TryAxes::ramp> (), group<&TryAxes::grid> ());
};

SINO_REGISTER (TryAxes)

} // namespace

} // namespace sino::try_axes
