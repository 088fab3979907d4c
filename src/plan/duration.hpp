// SPDX-License-Identifier: LGPL-3.0-or-later
// How long a pass will take: a model, to compare sizes of work items, blocks and pools. docs/guide/how-a-run-works.md
// has its formulas.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// What the model asks of tasks and devices, once for all sizes of a pass.
class PassModel
{
public:
  PassModel (const PlanInput &input, const Pass &pass);

  // Duration of the pass with its present sizes.
  Duration duration (const Pass &pass) const;

  // Seconds of one stage for all work items, as if it had the machine for itself.
  double seconds (const Pass &pass, size_t stage) const;

private:
  // What is busy while a stage works.
  enum class Place { storage, processors, device };
  struct Facts {
    Place place = Place::processors;
    double all_rows = 0;  // seconds for its whole output, 0: not known
    bool serial = false;  // one worker for all replicas
    bool gathers = false; // gives its first block when it has all inputs,
    bool early = false;   // and takes all of them before its first input
    int level = 0;        // stages that gather between the sources and it
  };
  double by_itself (const Pass &pass, size_t stage) const; // without what blocks and work items cost
  double of_processors (const Pass &pass, size_t stage) const;
  double fresh (const Pass &pass) const;

  const PlanInput &in;
  std::vector<Facts> facts; // of stages
  int levels = 1;
  bool own_memory;
};

// Pieces in which a source reads a pass from storage.
double pieces_read (const Pass &pass, const Stage &source);

} // namespace sino
