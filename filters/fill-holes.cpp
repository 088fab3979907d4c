// SPDX-License-Identifier: LGPL-3.0-or-later
// Replaces NaN and infinite values, because a single one would spoil a whole slice.
#include "base/error.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "kernels/holes/holes.hpp"
#include <atomic>
#include <cstring>

namespace sino::fill_holes {
namespace {

// Number of filled values, shared by the replicas of a run.
struct Tally {
  Messages &messages;
  const double values; // number of values in the stream
  const int64_t angles;
  std::mutex mutex;
  std::vector<bool> counted; // whether each line was counted, because a row may come several times
  int64_t filled = 0;

  Tally (const Format &format, Messages &m)
      : messages (m), values (format.bytes () / static_cast<double> (size_of (format.element))),
        angles (format.angles ()), counted (static_cast<size_t> (format.rows () * angles))
  {
  }
  static size_t bytes (const Format &format) { return static_cast<size_t> (format.rows () * format.angles ()) / 8 + 8; }

  void add (int64_t row, int64_t angle, int64_t holes)
  {
    const std::lock_guard guard (mutex);
    const auto number = static_cast<size_t> (row * angles + angle);
    if (!counted[number])
      filled += holes;
    counted[number] = true;
  }
};

class Filler final : public PointWorker
{
public:
  Filler (const Replica &replica, float o, std::shared_ptr<Tally> t)
      : cpu (replica.cpu), counters (replica.counters), otherwise (o), tally (std::move (t))
  {
  }

  // A line is one angle of a row, or of a group of rows in lanes.
  void process (const Block &in, Block &out) override
  {
    const int64_t lanes = in.lanes (), angles = in.angles ().size (), line = in.line () * lanes;
    const auto groups = divide_up (in.rows ().size (), lanes);
    std::atomic<int64_t> filled{0};
    cpu.parallel (groups * angles, std::max<int64_t> ((1 << 16) / line, 1), [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++) {
        const auto place = in.offset (i % angles, i / angles * lanes);
        auto *to = out.as<float> () + place;
        std::memcpy (to, in.as<float> () + place, static_cast<size_t> (line) * sizeof (float));
        if (const auto holes = holes::fill_holes (to, line, lanes, otherwise); holes > 0) {
          tally->add (in.rows ().at (i / angles * lanes), in.angles ().at (i % angles), holes);
          filled += holes;
        }
      }
    });
    counters.add ("filled", filled);
  }

private:
  const Cpu &cpu;
  Counters &counters;
  const float otherwise;
  const std::shared_ptr<Tally> tally;
};

class FillHoles final : public PointFilter
{
public:
  static constexpr Info info{"fill-holes", "Fill values that are NaN or infinite from their neighbours in the row"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32},
                                       .integers = "leave this node out, because integers are never NaN or infinite"};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    format.finite = true;
    negotiated = format;
    tally = nullptr;
    return format;
  }

  bool keeps_noise () const override { return true; }
  void shared_memory (Bill &bill) const override
  {
    add_bytes (bill, "lines that have holes", Tally::bytes (negotiated));
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (!tally)
      tally = std::make_shared<Tally> (negotiated, replica.messages);
    return std::make_unique<Filler> (replica, negotiated.values == Meaning::transmission ? 1.f : 0.f, tally);
  }

  void finish () override
  {
    if (tally && tally->filled > 0)
      tally->messages.add (text (
          "%" G_GINT64_FORMAT
          " values of the projections (%.3g %%) are NaN or infinite: they were filled from their neighbours in the row",
          tally->filled, 100 * static_cast<double> (tally->filled) / tally->values));
  }

private:
  Format negotiated;
  std::shared_ptr<Tally> tally;
};

} // namespace

SINO_REGISTER (FillHoles)

} // namespace sino::fill_holes
