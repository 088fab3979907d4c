// SPDX-License-Identifier: LGPL-3.0-or-later
// Families of OpenCL kernels that need the median of a window: kernels/median/window.cl.
#pragma once
#include "families/family.hpp"
#include "filters/median/window.hpp"
#include "glue/workers/neighbours.hpp"

namespace sino::median {

// `words`: those of the node besides the window's. Its trial can be try_window () with a task of the node.
families::Family window_family (const char *node, const families::KernelSource &source,
                                const std::vector<families::Word> &words, decltype (families::Family::trial) trial);

families::Problem window_problem (const WindowSettings &settings, const Format &input);

// Sets the window of a problem, and tries the kernel.
double try_window (NeighbourFilter &task, WindowSettings &settings, const OpenclDevice &device,
                   const families::Setting &setting, const families::Problem &problem);

} // namespace sino::median
