// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/retrieve-phase/opencl/retriever.hpp"
#include "filters/retrieve-phase/retriever.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino::retrieve_phase {

namespace {

class OpenclRetriever final : public OpenclPointWorker
{
public:
  OpenclRetriever (const Replica &replica, std::unique_ptr<OpenclRetrieval> r, bool j)
      : OpenclPointWorker (replica), counters (replica.counters), messages (replica.messages),
        retrieval (std::move (r)), judges (j)
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) override
  {
    const auto [first, last] =
        retrieval->enqueue (queues.kernels, {from, in.angles ().size (), wanted_rows (in, out), to});
    uncounted = true;
    return {first, last};
  }
  void count () override
  {
    if (!std::exchange (uncounted, false))
      return;
    counters.add ("replaced", retrieval->replaced (queues.kernels));
    counters.add ("clamped", retrieval->clamped (queues.kernels));
    if (retrieval->odd (queues.kernels) > 0 && judges)
      messages.add (no_transmission);
  }

private:
  Counters &counters;
  Messages &messages;
  const std::unique_ptr<OpenclRetrieval> retrieval;
  const bool judges;
  bool uncounted = false;
};

} // namespace

std::unique_ptr<Worker> retriever (const Replica &replica, std::unique_ptr<OpenclRetrieval> retrieval, bool judges)
{
  return std::make_unique<OpenclRetriever> (replica, std::move (retrieval), judges);
}

} // namespace sino::retrieve_phase
