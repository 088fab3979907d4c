// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts counts to absorption, with frames without beam (darks) and without sample (flats).
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/work.hpp"
#include "families/choice.hpp"
#include "filters/flat-field/companions.hpp"
#include "filters/flat-field/family.hpp"
#include "filters/flat-field/flat-noise.hpp"
#include "filters/flat-field/opencl-corrector.hpp"
#include "filters/flat-field/reduced.hpp"
#include "glue/module.hpp"
#include "glue/several.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include "glue/workers/host-input.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include <algorithm>
#include <atomic>

namespace sino::flat_field {
namespace {

class NativeWorker final : public Worker
{
public:
  NativeWorker (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared, int at_once)
      : absorption (settings.absorption), reduced (replica, settings, std::move (shared)),
        underway (replica.cpu, replica.monitor, replica.failed, at_once)
  {
  }

  void wait () override { underway.wait (); }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    reduced.begin (inputs[darks_port], inputs[flats_port]);
    while (const Block in = inputs[data_port]->pop ()) {
      if (auto others = reduced.references_for (in))
        references = std::move (others);
      Block out = output->next ();
      correct_block (in, out);
      output->push (std::move (out));
    }
  }

private:
  const bool absorption;
  Reduced reduced;
  // references for the newest block; earlier blocks that are still in work keep theirs
  std::shared_ptr<const References> references;
  Underway underway;

  struct Changed {
    std::atomic<int64_t> clamped{0}, filled{0};
  };

  void correct_block (const Block &in, Block &out)
  {
    const auto line = in.line () * in.lanes ();
    const auto changed = std::make_shared<Changed> ();
    const Loop correct{in.values () / line, (1 << 16) / line,
                       [=, this, with = references, to = out] (int64_t begin, int64_t end) mutable {
                         correct_lines (in, *with, begin, end, to, *changed);
                       }};
    const Loop count{1, 1, [=, this, values = values_of (in)] (int64_t, int64_t) {
                       reduced.count (changed->clamped, changed->filled, values);
                     }};
    underway.start ({correct, count}, std::span (&out, 1));
  }

  // A line is one angle of a row, or of a group of rows in lanes.
  void correct_lines (const Block &in, const References &with, int64_t begin, int64_t end, Block &out,
                      Changed &changed) const
  {
    const auto element = in.format ().element;
    const bool rows_first = in.format ().kind () == Kind::sinograms;
    const auto line = in.line () * in.lanes (), lines = in.values () / line;
    const auto angles = in.angles ().size (), rows_in_block = lines / std::max<int64_t> (angles, 1);
    int64_t clamped = 0, filled = 0;
    for (auto i = begin; i < end; i++) {
      const auto row = rows_first ? i / angles : i % rows_in_block;
      const auto angle = in.angles ().begin + (rows_first ? i % angles : i / rows_in_block);
      auto *to = out.as<float> () + i * line;
      clamped +=
          flat_field::correct (element, in.data () + static_cast<size_t> (i * line) * size_of (element),
                               with.at (row, static_cast<double> (angle), reduced.positions ()), absorption, line, to);
      filled += with.patch (row, to);
    }
    changed.clamped += clamped;
    changed.filled += filled;
  }
};

// Corrects on the replica's device, with darks and flats that the host has reduced.
class OpenclWorker final : public OpenclPointWorker
{
public:
  OpenclWorker (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared,
                const families::Setting &setting, const families::Problem &problem)
      : OpenclPointWorker (replica), angles (replica.inputs[data_port]->angles ()),
        dark_frames (queues, replica.memory), flat_frames (queues, replica.memory),
        reduced (replica, settings, std::move (shared)), corrector (queues, setting, problem, replica.memory)
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    reduced.begin (dark_frames.of (inputs[darks_port]), flat_frames.of (inputs[flats_port]));
    std::call_once (timed, [&] { corrector.take_moments (reduced.positions (), angles); });
    OpenclPointWorker::run (inputs, output);
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    if (const auto references = reduced.references_for (in))
      corrector.take (*references);
    const auto ran = corrector.enqueue (in, from, to);
    uncounted += values_of (in);
    return {ran.first, ran.last};
  }
  void count () override
  {
    if (uncounted > 0)
      reduced.count (corrector.clamped (), corrector.filled (), std::exchange (uncounted, 0));
  }

private:
  const int64_t angles; // number of angles in the stream
  std::once_flag timed;
  HostInput dark_frames, flat_frames;
  Reduced reduced;
  OpenclCorrector corrector;
  int64_t uncounted = 0; // number of values whose clamped ones are not yet counted
};

class FlatField final : public Task, public SeveralAtOnce
{
public:
  static constexpr Info info{"flat-field", "Turn counts into absorption (or transmission) with darks and flats"};
  static constexpr Signature signature{.takes = {scan_kinds, any_element}, .gives = {.elements = Element::f32}};

  Reduce reduce = Reduce::mean;
  bool interpolate = true;
  bool absorption = true;
  families::Use opencl{family ()};

  static constexpr Nick<Reduce> reduce_nicks[] = {{Reduce::mean, "mean"}, {Reduce::median, "median"}};
  static constexpr auto properties = joined (
      std::array{
          prop<&FlatField::reduce> ("reduce", "How to combine several darks or flats", reduce_nicks),
          prop<&FlatField::interpolate> (
              "interpolate", "Interpolate between flats taken at different times, if the scan gives the times"),
          prop<&FlatField::absorption> ("absorption", "Compute -ln (I / I0); otherwise the transmission I / I0"),
      },
      kernel_properties<&FlatField::opencl> ());

  std::span<const sino::Port> inputs () const override
  {
    static constexpr FormatSet frames{Kind::projections, any_element};
    static constexpr sino::Port ports[] = {{"data"}, {"darks", true, frames}, {"flats", true, frames}};
    return ports;
  }

  // Waits for all darks and flats of the work item; blocks of data then pass one by one.
  bool collects (size_t port) const override { return port != data_port; }
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  bool takes_lanes () const override { return true; }
  const families::Use *kernels () const override { return &opencl; }
  int blocks_at_once (const Device &, int threads) const override { return threads > few_threads ? 4 : 1; }

  Format negotiate (std::span<const Format *const> formats) override;
  bool keeps_noise () const override { return true; }
  void memory (const Sizing &sizing, Bill &bill) const override;
  void shared_memory (Bill &bill) const override;

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!shared)
      shared = std::make_shared<Shared> ();
    const Settings settings{reduce, interpolate, absorption};
    if (on_device (replica.device))
      return std::make_unique<OpenclWorker> (replica, settings, shared, opencl.choice (replica.device, 1).setting,
                                             opencl.problem ());
    return std::make_unique<NativeWorker> (replica, settings, shared, at_once);
  }

private:
  std::shared_ptr<Shared> shared;
  int64_t columns = 0, angles = 0, groups = 1;
  size_t reduced = 0, reducing = 0; // bytes of the reduced darks and flats, and bytes needed to reduce them
  size_t per_port_pixel = 0;        // bytes per pixel for reducing the darks and flats of the ports
};

Format FlatField::negotiate (std::span<const Format *const> formats)
{
  Format format = *formats[data_port];
  if (format.changed_by.empty () && format.values != Meaning::open && format.values != Meaning::counts)
    fail (SINO_ERROR_BAD_FORMAT, "wants counts, got %s, set by values= of '%s' or by a node before this one: %s",
          name_of (format.values), format.source.c_str (),
          format.values == Meaning::transmission ? "use 'minus-log' instead of this node" : "leave this node out");
  opencl.negotiated (problem_of (format.element, absorption));
  columns = format.line ();
  angles = format.angles ();
  groups = 1;
  reduced = reducing = per_port_pixel = 0;
  const auto pixels = static_cast<size_t> (format.rows () * columns);
  const std::shared_ptr<const Frames> companions[] = {nullptr, format.companions.darks, format.companions.flats};
  for (const size_t port : {darks_port, flats_port}) {
    const char *what = inputs ()[port].name;
    if (const auto *frames = formats[port]) {
      want_size (what, frames->rows (), frames->line (), format);
      per_port_pixel += Reducer::bytes_per_pixel (reduce);
      if (reduce == Reduce::median)
        per_port_pixel += static_cast<size_t> (frames->angles ()) * size_of (frames->element);
    } else if (const auto &own = companions[port]; own && own->count > 0) {
      if (!format.changed_by.empty ())
        fail (SINO_ERROR_BAD_FORMAT,
              "'%s' has changed the counts already, so that the scan's %s no longer fit: put this node before it",
              format.changed_by.c_str (), what);
      want_size (what, own->rows, own->columns, format);
      const auto grouped = groups_by_position (*own, interpolate && port == flats_port);
      groups = std::max<int64_t> (groups, std::ssize (grouped));
      reduced += grouped.size () * pixels * sizeof (float);
      reducing += surveying_bytes (*own, grouped, reduce);
    } else if (port == flats_port && !format.changed_by.empty ()) {
      fail (SINO_ERROR_BAD_FORMAT,
            "no flats: the stream has none, and '%s' has changed its counts already: leave this node out, or put it "
            "before that node, with flats= of 'read'",
            format.changed_by.c_str ());
    } else if (port == flats_port) {
      fail (SINO_ERROR_BAD_FORMAT, "no flats: the stream has none; give flats= to 'read', or connect them as in [data, "
                                   "darks, flats] ! flat-field");
    }
  }
  format.noise = formats[flats_port] || formats[darks_port] || !format.companions.flats
                     ? nullptr
                     : std::make_shared<const FlatNoise> (format.companions, format.dim (format.slab_axis ()));
  format.element = Element::f32;
  format.companions = {};
  format.mark_changed (info.name);
  format.finite = true;
  format.values = absorption ? Meaning::attenuation : Meaning::transmission;
  return format;
}

void FlatField::memory (const Sizing &sizing, Bill &bill) const
{
  const auto pixels = static_cast<size_t> ((sizing.item_rows + 31) * columns);
  // Twice the memory with lanes, for the copy in lanes. Blocks of several work items may be in work at a time.
  add_bytes (bill, "references of a block's rows", pixels * static_cast<size_t> (2 * groups + 4) * sizeof (float),
             static_cast<size_t> (at_once));
  add_bytes (bill, "frames of the ports", pixels * per_port_pixel);
  if (!on_device (sizing.device))
    return;
  add_copies (sizing, bill);
  HostInput::memory (sizing, {darks_port, flats_port}, bill);
  OpenclCorrector::memory (pixels, groups, angles, bill);
}

void FlatField::shared_memory (Bill &bill) const
{
  add_bytes (bill, "reduced darks and flats", reduced);
  add_bytes (bill, "reducing darks and flats", reducing);
}

} // namespace

SINO_REGISTER (FlatField)

} // namespace sino::flat_field
