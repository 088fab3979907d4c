// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that finds displacements and moves projections back.
#pragma once
#include "filters/align-projections/tally.hpp"
#include "filters/move-pixels/resampled.hpp"
#include <functional>

namespace sino::align_projections {

struct Settings {
  Job job;
  int64_t smooth; // projections on either side
  move_pixels::Interpolation interpolation;
  std::optional<Closing> closing;
};

enum Port : size_t { data_port, computed_port };

class Aligner final : public Worker
{
public:
  Aligner (const Replica &replica, const Settings &settings, std::shared_ptr<Tally> tally);

  void run (std::span<Input *const> inputs, Output *output) override;

  static void memory (const Settings &settings, const Sizing &sizing, Bill &bill);

private:
  const Cpu &cpu;
  Allotment &allotment;
  const Settings settings;
  const std::shared_ptr<Tally> tally;
  const int64_t angles;
  const size_t values;             // of a projection
  std::vector<Found> across, down; // by projection
  Allotment::Piece first, kept;    // the first projection; those that wait for the displacements of later ones

  // Where a projection lies in memory.
  using Place = std::function<const float *(int64_t angle)>;

  void look (const Block &measured, const Block &computed);
  void close (const Block &measured);
  void keep (const Block &measured);
  const float *place_of (int64_t angle) const;
  void move (const Place &from, Block &out) const;
};

} // namespace sino::align_projections
