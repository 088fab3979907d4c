// SPDX-License-Identifier: LGPL-3.0-or-later
// Whether a kernel works on a device: drivers advertise what they cannot do.
#pragma once
#include "families/findings.hpp"
#include "families/kernels.hpp"

namespace sino::families {

// The share of values in which two lists differ: for trials of kernels that must be exact.
template <class T> double share_different (const std::vector<T> &values, const std::vector<T> &truth)
{
  size_t different = 0;
  for (size_t i = 0; i < truth.size (); i++)
    different += values[i] != truth[i];
  return static_cast<double> (different) / static_cast<double> (truth.size ());
}

// Has the kernel solve a small problem whose truth is known, once for each device, driver and state of its source, and
// again where that fails. The text says what is wrong, "" for nothing. What is wrong with the kernel is kept and not
// tried again; what failed for lack of memory or the like is.
SINO_VISIBLE Finding trial (const OpenclDevice &device, const Family &family, const Setting &setting,
                            const Problem &problem);

} // namespace sino::families
