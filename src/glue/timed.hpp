// SPDX-License-Identifier: LGPL-3.0-or-later
// Tasks whose kernels may do other work than the plan predicts.
#pragma once
#include "base/visibility.hpp"

namespace sino {

// A facet of a task (glue/facets.hpp).
class SINO_VISIBLE Timed
{
public:
  virtual ~Timed ();

  // After negotiation: whether Task::seconds () predicts the time of the kernel that Task::kernels () chooses for the
  // lanes of its input, so that plans learn from that time (families/time-ratio.hpp).
  virtual bool timed_by_kernels () const { return true; }
};

} // namespace sino
