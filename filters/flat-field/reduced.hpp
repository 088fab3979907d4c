// SPDX-License-Identifier: LGPL-3.0-or-later
// Prepares the correction of a worker's blocks on any device: reduces darks and flats to one frame or one for each
// time, and writes messages about pixels and values.
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

// Shared by all replicas of a run: darks and flats, reduced once, and the rows whose dead pixels are counted.
struct Shared {
  std::once_flag once;
  std::vector<Frame> darks, flats;
  std::vector<double> positions; // times of the flats
  // Counts of `top` and more belong to dead or saturated pixels.
  float top = std::numeric_limits<float>::infinity ();
  std::mutex mutex;
  std::vector<bool> counted;
  int64_t dead = 0;                                         // number of dead pixels in the rows that are counted
  std::atomic<int64_t> clamped{0}, corrected{0}, filled{0}; // numbers of values
};

// Number of values, without padding lanes.
inline int64_t values_of (const Block &block)
{
  return block.rows ().size () * block.line () * block.angles ().size ();
}

class Reduced
{
public:
  Reduced (const Replica &replica, const Settings &settings, std::shared_ptr<Shared> shared);

  // Begins a work item: reads darks and flats of the scan, once for all replicas, and the frames at the ports.
  void begin (Input *dark_frames, Input *flat_frames);
  // Null if the block has the rows of the previous one, so its references still hold.
  std::unique_ptr<References> references_for (const Block &block);
  const std::vector<double> &positions () const { return shared->positions; }

  // Adds numbers of values that were clamped, filled from neighbours, and processed. Writes messages when the whole
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
  const int64_t rows, columns, values;     // sizes of the whole scan
  const float greatest;                    // largest possible count
  std::vector<Frame> own_darks, own_flats; // frames that came at the ports
  Rows known;                              // rows of the last references

  void reduce_companions (bool darks, bool flats);
  void reduce_here (bool darks, bool flats);
  std::vector<Frame> reduce_port (Input &input) const;
  void tell_dead (int64_t dead);
  void count_dead (const Block &block, const References &references);
  const std::vector<Frame> &all_darks () const { return own_darks.empty () ? shared->darks : own_darks; }
  const std::vector<Frame> &all_flats () const { return own_flats.empty () ? shared->flats : own_flats; }
};

} // namespace sino::flat_field
