// SPDX-License-Identifier: LGPL-3.0-or-later
// Tries whether a kernel works on a device: drivers also advertise features that do not work.
#pragma once
#include "families/findings.hpp"
#include "families/kernels.hpp"
#include <cmath>

namespace sino::families {

// The share of values in which two lists differ, for trials of kernels whose results must be exact.
template <class T> double share_different (const std::vector<T> &values, const std::vector<T> &truth)
{
  size_t different = 0;
  for (size_t i = 0; i < truth.size (); i++)
    different += values[i] != truth[i];
  return static_cast<double> (different) / static_cast<double> (truth.size ());
}

// Root mean square difference divided by the root mean square of the truth.
class RelativeError
{
public:
  void add (double got, double truth)
  {
    differences += (got - truth) * (got - truth);
    squares += truth * truth;
  }
  double value () const { return std::sqrt (differences / squares); }

private:
  double differences = 0, squares = 0;
};

// Lets the kernel solve a small problem with a known solution, once for each device, driver and source; after a failure
// once more. The text is the failure, "" if the kernel works. A wrong result or a failed build is stored; failures that
// may not last, such as a lack of memory, are not.
SINO_VISIBLE Finding trial (const OpenclDevice &device, const Family &family, const Setting &setting,
                            const Problem &problem);

} // namespace sino::families
