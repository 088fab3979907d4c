// SPDX-License-Identifier: LGPL-3.0-or-later
// Which calls of a process fail, and how. SINO_FAULTS has rules with ';' between them, each the name of a call and
// words:
//   path=PART     calls for files with this in their name only; of the OpenCL calls: for kernels
//   device=N      calls for the OpenCL device of this number only
//   caller=PART   calls from libraries with this in their name only
//   above=BYTES   calls for so many bytes at least
//   nth=N         from the Nth of these calls on, counted from 1; times=N: only so many of them
//   error=CODE    fails with this errno or status of OpenCL
//   short=BYTES   moves no more than so many bytes
//   delay=MS      takes so long
//   spoil=1       gives wrong values
// '*' in place of a name is every OpenCL call that can be made to fail: a device that is lost. SINO_FAULTS_STRUCK is a
// file that gets the name of each call that was made to fail.
#pragma once
#include <cstddef>

namespace faults {

struct Rule {
  char call[40], path[200], caller[40];
  long device, above, nth, times, error, most, delay, spoil; // most: -1: any number of bytes
};

// A call as it is about to be made. What does not apply is left as it is.
struct Call {
  const char *name;
  int file = -1;
  const char *path = nullptr;
  size_t bytes = 0;
  int device = -1;
  const void *caller = nullptr;
};

// The rule that a call falls under, after its delay; null: none. It allocates nothing, as it is asked by malloc.
const Rule *due (const Call &call) noexcept;

// Whether any rule is about calls of that name, so that finding out what they are about can be spared.
bool watched (const char *name) noexcept;

} // namespace faults

// Puts other rules in place of those that there are, for a process that has run a while. No thread may be in a call.
extern "C" __attribute__ ((visibility ("default"))) void sino_set_faults (const char *rules);
