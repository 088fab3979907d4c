// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

// Exported from the library for C++ modules and for Sinograph's own programs, without any promise of stability: the
// public interface is the C one in src/api. A module built with other headers is recognised by its mark and refused.
#define SINO_VISIBLE __attribute__ ((visibility ("default")))

namespace sino {

// Base of classes whose objects are neither copied nor moved.
class SINO_VISIBLE NoCopy
{
public:
  NoCopy (const NoCopy &) = delete;
  NoCopy &operator= (const NoCopy &) = delete;

protected:
  NoCopy () = default;
  ~NoCopy () = default;
};

} // namespace sino
