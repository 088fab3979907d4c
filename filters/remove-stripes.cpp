// SPDX-License-Identifier: LGPL-3.0-or-later
// Removes stripes of sinograms, which would be rings in slices.
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/work.hpp"
#include "families/choice.hpp"
#include "filters/point/filter-in-doubles.hpp"
#include "filters/remove-stripes/look.hpp"
#include "filters/remove-stripes/native.hpp"
#include "filters/remove-stripes/opencl/family.hpp"
#include "filters/remove-stripes/opencl/remover.hpp"
#include "glue/module.hpp"
#include "glue/several.hpp"
#include "glue/shapes.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include "kernels/remove-stripes/ranks.hpp"
#include <bit>

namespace sino::remove_stripes {
namespace {

class OnCpu final : public PointWorker
{
public:
  OnCpu (const Replica &replica, std::shared_ptr<const Remover> r, std::shared_ptr<Mirrored> m, int at_once)
      : cpu (replica.cpu), memory (replica.memory), remover (std::move (r)), looks (replica.messages, std::move (m)),
        several (at_once > 1), underway (cpu, replica.monitor, replica.failed, at_once)
  {
  }

  void wait () override { underway.wait (); }
  void end () override { underway.wait (); }

  void process (const Block &in, Block &out) override
  {
    if (!several) // threads stay free for loops of other nodes
      return remove (blocks++, in, out);
    underway.start (
        {{1, 1, [this, in, out, number = blocks++] (int64_t, int64_t) mutable { remove (number, in, out); }}},
        std::span (&out, 1));
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const std::shared_ptr<const Remover> remover;
  Looks looks;
  const bool several; // blocks at once
  int64_t blocks = 0;
  Underway underway;

  void remove (int64_t number, const Block &in, Block &out)
  {
    const Shape shape{in.angles ().size (), in.line () * in.lanes (), in.lanes ()};
    const auto size = shape.angles * shape.columns, rows = in.rows ().size ();
    for (int64_t row = 0; row < rows; row += shape.lanes)
      remover->remove (cpu, memory, shape, std::min (shape.lanes, rows - row),
                       in.as<float> () + row / shape.lanes * size, out.as<float> () + row / shape.lanes * size);
    looks.add (number, taken_from (shape, in.as<float> (), out.as<float> ()));
  }
};

class OnDevice final : public OpenclPointWorker
{
public:
  OnDevice (const Replica &replica, const families::Setting &setting, const families::Problem &problem,
            const Settings &settings, const Shape &group, std::shared_ptr<Mirrored> m)
      : OpenclPointWorker (replica), remover (queues, setting, problem, settings, group, replica.memory),
        looks (replica.messages, std::move (m))
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    if (remover.looks_are_full ())
      count ();
    const auto [first, last] = remover.enqueue (from, divide_up (in.rows ().size (), in.lanes ()), to);
    return {first, last};
  }
  void count () override
  {
    for (auto &taken : remover.take_looks ())
      looks.add (blocks++, std::move (taken));
  }

private:
  OpenclRemover remover;
  Looks looks;
  int64_t blocks = 0;
};

class RemoveStripes final : public point::FilterInDoubles, public SeveralAtOnce
{
public:
  static constexpr Info info{"remove-stripes", "Remove stripes from sinograms, which would be rings in slices"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}};

  Settings settings;

  families::Use opencl{family ()};

  static constexpr auto properties =
      joined (group<&RemoveStripes::settings> (), kernel_properties<&RemoveStripes::opencl> ());

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    if (format.angles () > most_angles)
      fail (SINO_ERROR_BAD_FORMAT, "takes at most %d angles, got %s", most_angles, format.describe ().c_str ());
    check_odd ("sm-size", settings.sm_size);
    check_odd ("la-size", settings.la_size);
    angles = format.angles ();
    columns = format.extent (Axis::column);
    values = format.bytes () / sizeof (float);
    if (settings.method == Method::wavelet_fourier) {
      const auto most =
          std::max (1, static_cast<int> (std::bit_width (static_cast<uint64_t> (std::max (angles, columns) - 1))));
      if (settings.levels > most)
        fail (SINO_ERROR_BAD_PROPERTY, "levels=%d is too large for %s: give at most %d", settings.levels,
              format.describe ().c_str (), most);
    }
    opencl.negotiated (OpenclRemover::problem_of (settings));
    remover = make_remover (settings, angles, columns);
    mirrored = std::make_shared<Mirrored> ();
    format.mark_changed (info.name);
    return format;
  }

  bool keeps_noise () const override { return true; }
  // Several blocks at once, because the threads of a group of sinograms wait for each other after each step.
  // Steps of `offset` are short, and need little memory.
  int blocks_at_once (const Device &, int threads) const override
  {
    return threads <= few_threads ? 1 : settings.method == Method::offset ? 4 : 2;
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    PointFilter::memory (sizing, bill);
    const auto lanes = sizing.input_layouts[0].lanes;
    if (on_device (sizing.device)) {
      const auto group = group_of (lanes);
      const auto bytes = static_cast<size_t> (group.angles * group.columns) * sizeof (float);
      return OpenclRemover::memory (settings, group, static_cast<int64_t> (sizing.output_block / bytes), bill);
    }
    add_bytes (bill, "numbers of columns",
               static_cast<size_t> (lanes * columns) * (sizeof (Bridge) + 8 * sizeof (double)),
               static_cast<size_t> (at_once));
    remover->memory (lanes, sizing.threads, at_once, bill);
  }

  const families::Use *kernels () const override { return &opencl; }

  double seconds (const Device &device, int threads) const override
  {
    return on_device (device) ? OpenclRemover::seconds (settings, as_opencl (device).facts (), values)
                              : values * native_seconds (settings.method) / threads;
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device))
      return std::make_unique<OnDevice> (replica, opencl.choice (replica.device, 1).setting, opencl.problem (),
                                         settings, group_of (replica.input_layouts[0].lanes), mirrored);
    return std::make_unique<OnCpu> (replica, remover, mirrored, at_once);
  }

private:
  static constexpr int most_angles = 65536; // the sort stores angles as 16 bits

  int64_t angles = 0, columns = 0;
  double values = 0; // number of values in the whole stream
  std::shared_ptr<const Remover> remover;
  std::shared_ptr<Mirrored> mirrored; // sums of removed values in the current run

  Shape group_of (int lanes) const { return {angles, columns * lanes, lanes}; }

  // Measured seconds of a thread for each value.
  static double native_seconds (Method method)
  {
    switch (method) {
    case Method::offset:
      return 3e-9;
    case Method::sorting:
      return 13e-9;
    default:
      return 20e-9;
    }
  }

  static void check_odd (const char *property, int size)
  {
    if (size % 2 == 0)
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%d is even: give %d or %d", property, size, size - 1, size + 1);
  }
};

} // namespace

SINO_REGISTER (RemoveStripes)

} // namespace sino::remove_stripes
