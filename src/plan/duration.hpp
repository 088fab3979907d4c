// SPDX-License-Identifier: LGPL-3.0-or-later
// A model of how long a pass will take. It compares sizes of work items, blocks and pools.
// docs/guide/how-a-run-works.md has its formulas.
#pragma once
#include "families/time-ratio.hpp"
#include "plan/plan.hpp"

namespace sino {

// Facts about tasks and devices that the model needs, asked for once for all sizes of a pass.
class PassModel
{
public:
  PassModel (const PlanInput &input, const Pass &pass);

  // Duration of the pass with its present sizes.
  Duration duration (const Pass &pass) const;

  // Seconds that a stage needs for all work items if no other stage runs.
  double seconds (const Pass &pass, size_t stage) const;

private:
  // Resource that a stage uses while it works.
  enum class Place { storage, processors, device };
  struct Facts {
    Place place = Place::processors;
    double all_rows = 0;  // seconds for its whole output, 0: not known
    double ratio = 0;     // kept time ratio of its kernels (families/time-ratio.hpp); 0: none
    bool keeps = false;   // whether it has kernels whose ratio is kept
    bool serial = false;  // one worker for all replicas
    bool gathers = false; // whether it outputs its first block only when it has all inputs
    double late = 0;      // share of its work that it does while its output leaves
    bool early = false;   // whether it then takes all its output blocks before its first input
    int level = 0;        // number of gathering stages between the sources and this one
  };
  double left_after_frames (const Pass &pass) const;
  // Without the overhead of blocks and work items: as tasks and rates predict it, and corrected by what was measured.
  double predicted (const Pass &pass, size_t stage) const;
  double by_itself (const Pass &pass, size_t stage) const { return predicted (pass, stage) * factor (facts[stage]); }
  static double factor (const Facts &fact) { return fact.ratio > 0 ? fact.ratio : 1; }
  double of_processors (const Pass &pass, size_t stage) const;
  double fresh (const Pass &pass) const;

  const PlanInput &in;
  std::vector<Facts> facts; // facts of each stage
  int levels = 1;
  bool own_memory;
};

// The file with the time ratio of a stage's kernels; without a path: none is kept. Where several processes share a run,
// none is, as all of them must make the same plan.
families::RatioFile ratio_file (const PlanInput &in, const Pass &pass, const Stage &stage);

// Number of pieces in which a source reads its part of a pass.
double pieces_read (const Pass &pass, size_t source);

} // namespace sino
