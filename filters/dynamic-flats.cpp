// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects a beam profile that changes during the scan: removes from each projection the difference between its own
// flat and the mean flat.
#include "base/error.hpp"
#include "families/choice.hpp"
#include "filters/dynamic-flats/family.hpp"
#include "filters/dynamic-flats/weights.hpp"
#include "filters/point/opencl-lines.hpp"
#include "glue/learned.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/wants.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"
#include "kernels/flat-field/correct.hpp"

namespace sino::dynamic_flats {
namespace {

// Copy of darks or flats without times, so that flat-field uses their mean for all projections.
std::shared_ptr<const Frames> timeless (std::shared_ptr<const Frames> frames)
{
  const auto made = std::make_shared<SameFrames> (std::move (frames));
  made->positions.clear ();
  return made;
}

// Knowledge about the beam: nothing before the survey, samples after it, eigen flats and weights in the run.
struct Beam {
  Samples samples;
  bool looked = false, found = false;
  std::string missed; // reason why there are no samples
  EigenFlats flats;
  std::vector<double> weights; // (projection, component)
};

class Looker final : public SinkWorker
{
public:
  explicit Looker (Samples &s) : samples (s) {}

  void take (const Block &in) override { samples.add (in); }

private:
  Samples &samples; // each block writes its own elements
};

class Corrector final : public PointWorker
{
public:
  Corrector (const Cpu &c, std::shared_ptr<const Beam> b) : cpu (c), beam (std::move (b)) {}

  void process (const Block &in, Block &out) override
  {
    const auto rows = in.rows ().size (), columns = in.line ();
    const auto element = in.format ().element;
    cpu.parallel (
        in.angles ().size () * rows, std::max<int64_t> ((1 << 15) / columns, 1), [&] (int64_t begin, int64_t end) {
          std::vector<float> change (static_cast<size_t> (columns));
          for (auto i = begin; i < end; i++) {
            const auto angle = i / rows, row = i % rows;
            fill (in.angles ().at (angle), in.rows ().at (row), change);
            const auto *dark = &beam->flats.dark[static_cast<size_t> (in.rows ().at (row) * columns)];
            auto *to = out.as<float> () + out.offset (angle, row);
            flat_field::widen (element, in.data () + static_cast<size_t> (in.offset (angle, row)) * size_of (element),
                               columns, to);
            for (int64_t c = 0; c < columns; c++)
              to[c] = dark[c] + (to[c] - dark[c]) / change[static_cast<size_t> (c)];
          }
        });
  }

private:
  const Cpu &cpu;
  const std::shared_ptr<const Beam> beam;

  // Ratio of the projection's beam to the mean flat, limited so that the division cannot blow up values.
  void fill (int64_t projection, int64_t row, std::vector<float> &change) const
  {
    std::ranges::fill (change, 1.f);
    const auto n = beam->flats.count ();
    for (size_t k = 0; k < n; k++) {
      const auto weight = static_cast<float> (beam->weights[static_cast<size_t> (projection) * n + k]);
      const auto *component = beam->flats.component (k, row);
      for (size_t c = 0; c < change.size (); c++)
        change[c] += weight * component[c];
    }
    for (auto &value : change)
      value = std::clamp (value, 0.25f, 4.f);
  }
};

constexpr char beam_item[] = "the beam of a block's rows", weights_item[] = "weights of projections";

class CorrectorOnDevice final : public OpenclPointWorker
{
public:
  CorrectorOnDevice (const Replica &replica, const families::Use &use, std::shared_ptr<const Beam> b)
      : OpenclPointWorker (replica), beam (std::move (b)), beam_there (take_buffer (device, replica.memory, beam_item)),
        weights (take_table (device, replica.memory, weights_item, weights_of (*beam))),
        kernel (device, use.family (), use.choice (replica.device, 1).setting, use.problem ())
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &, const cl::Buffer &to) override
  {
    if (!(rows == in.rows ()))
      upload (in.rows ());
    kernel.take (from, in.line (), rows.size (), beam_there, beam->flats.count (), weights, in.angles ().begin, to);
    const auto ran = kernel.enqueue (queues.kernels, in.line (), {0, in.angles ().size () * rows.size ()});
    last = ran.last;
    return {ran.first, ran.last};
  }

private:
  const std::shared_ptr<const Beam> beam;
  const cl::Buffer beam_there, weights;
  point::OpenclLines kernel;
  Rows rows;      // rows whose beam is on the device
  cl::Event last; // last command that uses it

  static std::vector<float> weights_of (const Beam &beam)
  {
    std::vector<float> all (beam.weights.begin (), beam.weights.end ());
    all.push_back (0); // where there are no components
    return all;
  }

  void upload (const Rows &wanted)
  {
    hold_transfers (queues.device, queues.upload, last);
    rows = wanted;
    const auto &flats = beam->flats;
    const auto plane = static_cast<size_t> (rows.size () * flats.columns) * sizeof (float);
    require (beam_there, (1 + flats.count ()) * plane, beam_item);
    const auto put = [&] (size_t place, const float *values) {
      queues.upload.enqueueWriteBuffer (beam_there, CL_TRUE, place * plane, plane, values);
    };
    put (0, &flats.dark[static_cast<size_t> (rows.begin * flats.columns)]);
    for (size_t k = 0; k < flats.count (); k++)
      put (k + 1, flats.component (k, rows.begin));
  }
};

class DynamicFlats final : public PointFilter, public Surveys
{
public:
  static constexpr Info info{"dynamic-flats", "Correct each projection for differences of its beam from the mean flat"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::u8 | Element::u16 | Element::f32},
                                       .gives = {.elements = Element::f32}};

  int components = 0;

  families::Use opencl{family ()};
  static constexpr auto properties = joined (
      std::array{
          prop<&DynamicFlats::components> ("components", "Eigen flats to use; 0: those above the noise, at most 8",
                                           Range{0, 64}),
      },
      kernel_properties<&DynamicFlats::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  Format negotiate (std::span<const Format *const> inputs) override;
  bool takes_lanes () const override { return false; }
  int wanted_lanes (const Device &, int) const override { return 1; }
  std::vector<Rows> survey (const Format &) const override
  {
    return beam->looked ? std::vector<Rows>{} : beam->samples.bands ();
  }
  std::unique_ptr<Worker> look (const Replica &) override
  {
    beam->looked = true;
    beam->samples.begin ();
    return std::make_unique<Looker> (beam->samples);
  }
  void miss (const std::string &why) override { beam->missed = why; }
  void memory (const Sizing &sizing, Bill &bill) const override
  {
    PointFilter::memory (sizing, bill);
    if (on_device (sizing.device)) {
      const auto most = eigen_flats_count (companions, components);
      add_buffers (bill, beam_item, (1 + most) * static_cast<size_t> (sizing.item_rows * columns) * sizeof (float));
      add_buffers (bill, weights_item, (most * static_cast<size_t> (angles) + 1) * sizeof (float));
      add_bytes (bill, "weights for the device", (most * static_cast<size_t> (angles) + 1) * sizeof (float));
      return;
    }
    add_bytes (bill, "the beam of rows",
               static_cast<size_t> (sizing.threads) * static_cast<size_t> (columns) * sizeof (float));
  }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "samples of projections", beam->samples.bytes ());
    add_bytes (bill, "eigen flats", eigen_flats_bytes (companions, components));
    add_bytes (bill, "finding eigen flats", finding_bytes (companions));
  }
  std::unique_ptr<Worker> start (const Replica &replica) override;

private:
  int64_t columns = 0, angles = 0;
  Companions companions;
  Learned<Beam> beam;
};

Format DynamicFlats::negotiate (std::span<const Format *const> inputs)
{
  const auto &in = *inputs[0];
  const auto flats = in.companions.flats ? in.companions.flats->count : 0;
  if (flats < 3)
    fail (SINO_ERROR_BAD_FORMAT,
          "finds the changes of the beam with at least 3 flats, got %" G_GINT64_FORMAT
          ": put this node before 'flat-field', or leave it out",
          flats);
  if (!in.changed_by.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "'%s' has changed the counts already, so that the scan's flats no longer fit: put this node "
          "before it",
          in.changed_by.c_str ());
  for (const auto &[frames, what] : {std::pair{in.companions.flats, "flats"}, std::pair{in.companions.darks, "darks"}})
    if (frames)
      want_size (what, frames->rows, frames->columns, in);
  if (!beam->missed.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "must examine some rows before the run, and cannot: %s", beam->missed.c_str ());
  if (!beam->looked)
    beam->samples = Samples (in);
  columns = in.line ();
  angles = in.angles ();
  opencl.negotiated (problem_of (in.element));
  companions = in.companions;
  Format format = in;
  format.element = Element::f32;
  format.companions.flats = timeless (in.companions.flats);
  return format;
}

std::unique_ptr<Worker> DynamicFlats::start (const Replica &replica)
{
  if (!beam->looked)
    fail (SINO_ERROR_FAILED, "the projections were not examined before the run");
  if (!beam->found) {
    beam->flats = find_eigen_flats (companions, components,
                                    {replica.cpu, replica.messages, {&replica.monitor, &replica.counters}});
    beam->weights = find_weights (beam->flats, beam->samples, replica.cpu);
    beam->found = true;
    replica.counters.add ("components", static_cast<int64_t> (beam->flats.count ()));
    if (beam->flats.count () == 0)
      replica.messages.add ("the flats differ only by noise and brightness: there is nothing to correct");
  }
  if (on_device (replica.device))
    return std::make_unique<CorrectorOnDevice> (replica, opencl, beam.shared ());
  return std::make_unique<Corrector> (replica.cpu, beam.shared ());
}

} // namespace

SINO_REGISTER (DynamicFlats)

} // namespace sino::dynamic_flats
