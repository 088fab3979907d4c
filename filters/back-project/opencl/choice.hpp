// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernel runs on a device: the first that the table of tunings names and that the device can run and runs
// rightly.
#pragma once
#include "back-project/opencl/tuning.hpp"
#include "device/opencl.hpp"

namespace sino::back_project {

// What the user asked for.
struct Wish {
  std::string variant;    // "auto", or the name of a kernel
  std::string parameters; // "PIXELS=8,CACHED=4"; "": those of the table
};

struct Choice {
  Setting setting;
  int lanes;
  std::string origin;                // who proposed it
  std::string reason;                // and why
  std::vector<std::string> rejected; // what was better, and why not
};

// `problem.lanes` is 0 when they are free; given those that it would take, it takes the same kernel. `slices`: how many
// there are. Throws Error when nothing can be done as it is wished.
Choice choose (const OpenclDevice &device, const Problem &problem, int64_t slices, const Wish &wish);

// What may be chosen, the best first: what was tuned, then what the table says; in the order of the model, for which
// the device is measured, where it is in no family and `measured`.
std::vector<TunedChoice> proposals (const OpenclDevice &device, const Problem &problem, int64_t slices, bool measured);

// Those that the kernel may have for so many slices, the most first.
std::vector<int> lanes_for (const Variant &variant, int64_t slices);

inline Situation situation_of (const Problem &problem, int64_t slices)
{
  return {slices > 1, problem.interpolation, problem.half};
}

} // namespace sino::back_project
