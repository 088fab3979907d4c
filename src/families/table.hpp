// SPDX-License-Identifier: LGPL-3.0-or-later
// The tuning table of a family: the fastest kernels for each architecture.
#pragma once
#include "families/kernels.hpp"

namespace sino::families {

// Proposals of the table: those for the device's architecture, then for its vendor, then for all devices. Without a
// table: all kernels in their order, with default parameters.
SINO_VISIBLE std::vector<Proposal> tabled (const Family &family, const OpenclFacts &facts, const Problem &problem);

// What the table says of a kernel on such a device: the largest error and the highest speed of the choices that fit.
struct Figures {
  std::optional<double> error; // relative root mean square, of slices or rows of scans; none: not known
  double gups = 0;             // on the device that was measured; 0: not known
};
SINO_VISIBLE Figures figures_of (const Family &family, const OpenclFacts &facts, const Problem &problem,
                                 const Kernel &kernel);

// The reason why the kernel is too coarse for the problem; "" if it is not.
SINO_VISIBLE std::string too_coarse (const Family &family, const OpenclFacts &facts, const Problem &problem,
                                     const Kernel &kernel);

// The name of the device's architecture in the table; "" if the table does not have it.
SINO_VISIBLE std::string architecture_of (const Family &family, const OpenclFacts &facts);

} // namespace sino::families
