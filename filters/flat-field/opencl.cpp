// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/flat-field/opencl.hpp"
#include "base/error.hpp"
#include "device/devices.hpp"
#include "device/opencl-memory.hpp"
#include "families/clock.hpp"
#include "filters/flat-field/opencl-corrector.hpp"
#include "glue/workers/host-input.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino::flat_field {

namespace {

class Corrector final : public Worker
{
public:
  Corrector (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared,
             const families::Setting &setting, const families::Problem &problem)
      : device (as_opencl (replica.device)), monitor (replica.monitor), angles (replica.inputs[data_port]->angles ()),
        queues (device), dark_frames (queues, replica.memory), flat_frames (queues, replica.memory),
        reduced (replica, settings, std::move (shared)), uploads (queues, replica.memory),
        downloads (queues, replica.memory), corrector (queues, setting, problem, replica.memory),
        clock (queues, &replica.counters)
  {
  }
  ~Corrector () override
  {
    try {
      count ();
    } catch (const Error &) { // the caller that waited for the blocks already got this error
    }
  }

  void wait () override
  {
    clock.wait ();
    count ();
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    reduced.begin (dark_frames.of (inputs[darks_port]), flat_frames.of (inputs[flats_port]));
    std::call_once (timed, [&] { corrector.take_moments (reduced.positions (), angles); });
    while (const Block in = inputs[data_port]->pop ()) {
      monitor.check ();
      if (const auto references = reduced.references_for (in))
        corrector.take (*references);
      Block out = output->next ();
      const IdleAfterFailure guard (queues);
      device.attempt ([&] { correct (in, out); });
      output->push (std::move (out));
    }
  }

private:
  const OpenclDevice &device;
  const Monitor &monitor;
  const int64_t angles; // number of angles in the stream
  std::once_flag timed;
  OpenclQueues queues;
  HostInput dark_frames, flat_frames;
  Reduced reduced;
  Uploads uploads;
  Downloads downloads;
  OpenclCorrector corrector;
  families::KernelClock clock;
  int64_t uncounted = 0; // number of values whose clamped ones are not yet counted

  void correct (const Block &in, const Block &out)
  {
    const MemoryPiece from (in), to (out);
    const auto ran = corrector.enqueue (in, uploads.take (from, in.bytes ()), downloads.take (to, out.bytes ()));
    uncounted += values_of (in);
    clock.add (ran.first, ran.last);
    queues.kernels.flush ();
    uploads.until (ran.last);
    downloads.finish (to, out.bytes (), ran.last);
  }

  // Waits for the device, so it is called only when all work is done.
  void count ()
  {
    if (uncounted > 0)
      reduced.count (corrector.clamped (), corrector.filled (), std::exchange (uncounted, 0));
  }
};

} // namespace

std::unique_ptr<Worker> opencl_worker (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared,
                                       const families::Setting &setting, const families::Problem &problem)
{
  return std::make_unique<Corrector> (replica, settings, std::move (shared), setting, problem);
}

void opencl_memory (const Sizing &sizing, size_t pixels, int64_t groups, int64_t angles, Bill &bill)
{
  add_copies (sizing, bill);
  HostInput::memory (sizing, {darks_port, flats_port}, bill);
  OpenclCorrector::memory (pixels, groups, angles, bill);
}

} // namespace sino::flat_field
