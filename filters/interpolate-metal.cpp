// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces the rays through metal by an interpolation of their neighbours, normalised by the projections of a prior.
#include "base/error.hpp"
#include "filters/interpolate-metal/line.hpp"
#include "filters/interpolate-metal/wants.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"

namespace sino::interpolate_metal {
namespace {

enum Port : size_t { data_port, metal_port, prior_port };

// Numbers of rays and rows of projections, shared by the replicas of a run. Each row of a projection counts once.
struct Tally {
  Messages &messages;
  const int64_t angles, columns;
  std::mutex mutex;
  std::vector<bool> counted;
  int64_t rows = 0, rays = 0; // that were seen; that were interpolated
  int64_t full = 0;           // rows without any ray beside metal

  Tally (const Format &format, Messages &m)
      : messages (m), angles (format.angles ()), columns (format.line ()),
        counted (static_cast<size_t> (format.rows () * angles))
  {
  }
  static size_t bytes (const Format &format) { return static_cast<size_t> (format.rows () * format.angles ()) / 8 + 8; }

  void add (int64_t row, int64_t angle, int64_t in_trace)
  {
    const std::lock_guard guard (mutex);
    const auto number = static_cast<size_t> (row * angles + angle);
    if (counted[number])
      return;
    counted[number] = true;
    rows++;
    (in_trace < columns ? rays : full) += in_trace < columns ? in_trace : 1;
  }
};

class Interpolator final : public Worker
{
public:
  Interpolator (const Cpu &c, int64_t m, bool r, std::shared_ptr<Tally> t)
      : cpu (c), margin (m), restore (r), tally (std::move (t))
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    while (const Block in = inputs[data_port]->pop ()) {
      const Block metal = other (inputs[metal_port], in), prior = other (inputs[prior_port], in);
      Block out = output->next ();
      const auto angles = in.angles ().size ();
      cpu.parallel (in.rows ().size () * angles, 16, [&] (int64_t begin, int64_t end) {
        Trace trace;
        for (auto i = begin; i < end; i++) {
          const auto at = in.offset (i % angles, i / angles);
          const Line line{in.as<float> () + at, metal.as<float> () + at, prior ? prior.as<float> () + at : nullptr,
                          in.line ()};
          repair (line, trace, out.as<float> () + at);
          tally->add (in.rows ().at (i / angles), in.angles ().at (i % angles), trace.rays ());
        }
      });
      output->push (std::move (out));
    }
    for (const auto port : {metal_port, prior_port})
      if (inputs[port] && inputs[port]->pop ())
        fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
  }

private:
  const Cpu &cpu;
  const int64_t margin;
  const bool restore;
  const std::shared_ptr<Tally> tally;

  static Block other (Input *input, const Block &in)
  {
    Block block = input ? input->pop () : Block ();
    if (input && (!block || !(block.region () == in.region ())))
      fail (SINO_ERROR_FAILED, "the blocks of its inputs do not match");
    return block;
  }

  void repair (const Line &line, Trace &trace, float *out) const
  {
    trace.find (line, margin);
    if (trace.rays () == line.rays) {
      std::copy_n (line.data, line.rays, out);
      return;
    }
    interpolate (line, trace, out);
    if (restore)
      add_metal (line, trace, out);
  }
};

class InterpolateMetal final : public Task
{
public:
  static constexpr Info info{"interpolate-metal", "Interpolate over the rays through metal, normalised by a prior"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32}};

  int margin = 1;
  bool restore = true;

  static constexpr Property properties[] = {
      prop<&InterpolateMetal::margin> ("margin", "Columns on either side of metal that are interpolated, too",
                                       sino::Range{0, 1000}),
      prop<&InterpolateMetal::restore> ("restore", "Add the projections of metal again, so that slices show it"),
  };

  std::span<const sino::Port> inputs () const override
  {
    static constexpr sino::Port ports[] = {{"data"}, {"metal"}, {"prior", true}};
    return ports;
  }

  Format negotiate (std::span<const Format *const> formats) override
  {
    const auto &data = *formats[data_port];
    want_attenuation (data);
    for (const auto port : {metal_port, prior_port})
      if (formats[port])
        want_alike (inputs ()[port].name, *formats[port], "data", data);
    Format format = data;
    format.mark_changed (info.name);
    format.values = data.values;
    format.any_lanes = false;
    negotiated = format;
    reports = restore || formats[prior_port];
    tally = nullptr;
    return format;
  }

  bool keeps_noise () const override { return true; } // that of the rays outside the trace

  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "rows that were counted", Tally::bytes (negotiated));
  }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    add_bytes (bill, "trace of a thread", static_cast<size_t> (negotiated.line ()) * sizeof (Trace::Gap),
               static_cast<size_t> (sizing.threads));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!tally)
      tally = std::make_shared<Tally> (negotiated, replica.messages);
    return std::make_unique<Interpolator> (replica.cpu, margin, restore, tally);
  }

  void finish () override
  {
    if (!tally || tally->rows == 0 || !reports)
      return;
    const auto all = static_cast<double> (tally->rows) * static_cast<double> (tally->columns);
    if (tally->rays > 0)
      tally->messages.add (text ("%.3g %% of the rays go through metal and are interpolated",
                                 100 * static_cast<double> (tally->rays) / all),
                           Messages::Level::info);
    if (tally->full > 0)
      tally->messages.add (text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                                 " rows of projections see metal on every ray, so that there is nothing to interpolate "
                                 "between: they stay as they are; a larger threshold= finds less metal",
                                 tally->full, tally->rows));
  }

private:
  Format negotiated;
  bool reports = false;
  std::shared_ptr<Tally> tally;
};

SINO_REGISTER (InterpolateMetal)

} // namespace

} // namespace sino::interpolate_metal
