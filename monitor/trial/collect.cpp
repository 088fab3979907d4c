// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/trial/collect.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"
#include "graph/launch.hpp"
#include <cstring>
#include <mutex>

namespace sino::monitor {

// What the sink and the chain have in common.
struct Chain::Shared {
  std::mutex mutex; // protects the format
  std::shared_ptr<const Format> format;
  std::vector<float> values;
  bool keeps = true;               // the values, not only the format
  std::atomic<bool> begun = false; // all nodes have looked

  std::shared_ptr<const Format> get ()
  {
    const std::lock_guard guard (mutex);
    return format;
  }
};

namespace {

// Puts the rows of blocks to their places. Each block has other values.
template <class Shared> class CollectWorker final : public SinkWorker
{
public:
  explicit CollectWorker (std::shared_ptr<Shared> s) : shared (std::move (s)) {}

  void take (const Block &in) override
  {
    if (!shared->keeps)
      return;
    const auto angles = in.format ().angles (), line = in.line ();
    for (int64_t row = 0; row < in.rows ().size (); row++)
      for (int64_t angle = 0; angle < in.angles ().size (); angle++) {
        const auto place = in.rows ().at (row) * angles + in.angles ().begin + angle;
        std::memcpy (shared->values.data () + place * line, in.as<float> () + in.offset (angle, row),
                     static_cast<size_t> (line) * sizeof (float));
      }
  }

private:
  const std::shared_ptr<Shared> shared;
};

// A sink that is in no list of nodes.
template <class Shared> class Collect final : public Sink
{
public:
  static constexpr Info info{"collect", "Keep a stream in memory", "SinoMonitorCollect"};
  static constexpr Signature signature{.takes = {any_kind, Element::f32}};

  std::shared_ptr<Shared> shared;

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const std::lock_guard guard (shared->mutex);
    shared->format = std::make_shared<const Format> (*inputs[0]);
    return *inputs[0];
  }
  void shared_memory (Bill &bill) const override
  {
    if (shared->keeps)
      add_bytes (bill, "values", static_cast<size_t> (shared->get ()->bytes ()));
  }
  std::unique_ptr<Worker> start (const Replica &) override
  {
    shared->begun = true;
    if (shared->keeps)
      shared->values.resize (static_cast<size_t> (shared->get ()->bytes ()) / sizeof (float));
    return std::make_unique<CollectWorker<Shared>> (shared);
  }
};

} // namespace

Chain::Chain (const std::string &line) : shared (std::make_shared<Shared> ())
{
  auto graph = parse_launch (line);
  const auto open = graph.open_ends ().outputs;
  if (open.size () != 1)
    fail (SINO_ERROR_BAD_GRAPH, "the line has %zu ends", open.size ());
  using Sink = Collect<Shared>;
  ObjectPtr<SinoTask> sink (SINO_TASK (g_object_new (Binding<Sink>::gtype (), nullptr)));
  Held<Sink>::of (sink.get ()).shared = shared;
  graph.connect (open[0], graph.add (std::move (sink), "collect"));
  run.emplace (graph, RunOptions ());
}

Chain::~Chain () = default;

Collected Chain::execute (const Monitor &wanted)
{
  wanted.check ();
  run->execute ([&] (const Progress &) {
    if (wanted.cancelled ())
      run->cancel ();
  });
  return {shared->get (), std::move (shared->values)};
}

std::shared_ptr<const Format> Chain::look (const Monitor &wanted)
{
  shared->keeps = false;
  try {
    run->execute ([&] (const Progress &) {
      if (wanted.cancelled () || shared->begun)
        run->cancel ();
    });
  } catch (const Cancelled &) {
    wanted.check ();
  }
  return shared->get ();
}

} // namespace sino::monitor
