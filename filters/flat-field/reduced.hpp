// SPDX-License-Identifier: LGPL-3.0-or-later
// What corrects the blocks of a worker, wherever it computes: darks and flats, reduced to a frame or to one for each
// time, and what people are told of pixels and values.
#pragma once
#include "glue/task.hpp"
#include "kernels/flat-field/references.hpp"
#include <atomic>
#include <memory>

namespace sino::flat_field {

enum Port : size_t { data_port, darks_port, flats_port };

struct Settings {
  Reduce reduce;
  bool interpolate, absorption;
};

// What all replicas of a run share: the companions, reduced once, and the rows whose dead pixels were counted.
struct Shared {
  std::once_flag once;
  std::vector<Frame> darks, flats;
  std::vector<double> positions; // when the flats were taken
  // Counts from here on are those of dead and saturated pixels.
  float top = std::numeric_limits<float>::infinity ();
  std::mutex mutex;
  std::vector<bool> counted;
  int64_t dead = 0;                                         // pixels of the rows that were counted
  std::atomic<int64_t> clamped{0}, corrected{0}, filled{0}; // values
};

// Without the padding of lanes.
inline int64_t values_of (const Block &block)
{
  return block.rows ().size () * block.line () * block.angles ().size ();
}

class Reduced
{
public:
  Reduced (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared);

  // A work item begins: reads the companions, once for all replicas, and what comes at the ports.
  void begin (Input *dark_frames, Input *flat_frames);
  // Null where the block has the rows of the one before it, and thus its references.
  std::unique_ptr<References> references_for (const Block &block);
  const std::vector<double> &positions () const { return shared->positions; }

  // So many of some values were clamped, and so many were filled from their neighbours. Tells people, once the whole
  // scan has passed.
  void count (int64_t clamped, int64_t filled, int64_t values);

private:
  const MakeOnce once;
  const Cpu &cpu;
  Counters &counters;
  Messages &messages;
  const Monitor &monitor;
  const Settings settings;
  const std::shared_ptr<Shared> shared;
  const Companions companions;
  const int64_t rows, columns, values;     // of the whole scan
  const float greatest;                    // that a count can be
  std::vector<Frame> own_darks, own_flats; // of the ports
  Rows known;                              // of the references that were made last

  void reduce_companions (bool darks, bool flats);
  void reduce_here (bool darks, bool flats);
  std::vector<Frame> reduce_port (Input &input) const;
  void tell_dead (int64_t dead);
  void count_dead (const Block &block, const References &references);
  const std::vector<Frame> &all_darks () const { return own_darks.empty () ? shared->darks : own_darks; }
  const std::vector<Frame> &all_flats () const { return own_flats.empty () ? shared->flats : own_flats; }
};

} // namespace sino::flat_field
