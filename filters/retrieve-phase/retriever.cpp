// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/retriever.hpp"
#include "glue/shapes.hpp"
#include "kernels/retrieve-phase/spectrum.hpp"
#include <atomic>

namespace sino::retrieve_phase {

namespace {

class Retriever final : public PointWorker
{
public:
  Retriever (const Replica &replica, Retrieval r)
      : threads (replica.cpu.threads ()), memory (replica.memory), counters (replica.counters),
        messages (replica.messages), method (r.method), filter (std::move (r.filter)), judges (r.judges),
        underway (replica.cpu, replica.monitor, replica.failed, r.at_once)
  {
  }

  void wait () override { underway.wait (); }
  void end () override { underway.wait (); }

  void process (const Block &in, Block &out) override
  {
    const auto spectra = PlaneFilter::take_spectra (memory);
    std::vector<Loop> loops;
    const auto angles = in.angles ().size (), together = filter->together (threads, angles);
    for (int64_t first = 0; first < angles; first += together)
      retrieve (in, out, {first, std::min (first + together, angles)}, spectra, loops);
    underway.start (std::move (loops), std::span (&out, 1));
  }

private:
  const int threads;
  Allotment &memory;
  Counters &counters;
  Messages &messages;
  const Method method;
  const std::shared_ptr<const PlaneFilter> filter;
  const bool judges;
  Underway underway;

  // Counts of a projection.
  struct Seen {
    std::atomic<int64_t> replaced{0}, strange{0}, clamped{0};
  };

  // Adds the loops for some angles of a block.
  void retrieve (const Block &in, const Block &out, Interval angles, const PlaneFilter::Spectra &spectra,
                 std::vector<Loop> &loops)
  {
    const auto columns = in.line ();
    const auto wanted = wanted_rows (in, out);
    const auto seen = std::make_shared<std::vector<Seen>> (static_cast<size_t> (angles.size ()));
    const auto of = [seen] (int64_t image) -> Seen & { return (*seen)[static_cast<size_t> (image)]; };
    const auto row_at = [=] (int64_t image, int64_t row) {
      return in.as<float> () + in.offset (angles.at (image), row);
    };
    const auto load = [=] (int64_t image, int64_t row, float *to) {
      const auto now = load_row (row_at (image, row), columns, to);
      of (image).replaced += now.replaced;
      of (image).strange += now.strange;
    };
    const auto store = [=, this, to = out] (int64_t image, int64_t row, const float *filtered) mutable {
      auto *line = to.as<float> () + to.offset (angles.at (image), wanted.place (row));
      if (method == Method::paganin)
        of (image).clamped += attenuation (filtered, columns, line);
      else if (method == Method::bronnikov_aided)
        of (image).clamped += attenuation_aided (filtered, row_at (image, row), columns, line);
      else
        std::copy (filtered, filtered + columns, line);
    };
    filter->add_loops (loops, memory, spectra, {angles.size (), wanted, load, store});
    loops.push_back ({1, 1, [=, this, pixels = in.rows ().size () * columns] (int64_t, int64_t) {
                        for (const auto &each : *seen) {
                          counters.add ("replaced", each.replaced);
                          counters.add ("clamped", each.clamped);
                          if (judges && 100 * each.strange > pixels)
                            messages.add (no_transmission);
                        }
                      }});
  }
};

} // namespace

std::unique_ptr<Worker> retriever (const Replica &replica, Retrieval retrieval)
{
  return std::make_unique<Retriever> (replica, std::move (retrieval));
}

} // namespace sino::retrieve_phase
