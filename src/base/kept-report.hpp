// SPDX-License-Identifier: LGPL-3.0-or-later
// Gives the exceptions of callbacks without a GError (`reported` in glue/boundary.hpp) to the caller of GLib.
#pragma once
#include "base/visibility.hpp"
#include <exception>

namespace sino {

// While this object exists, the first exception of such a callback in its thread is kept instead of printed.
class SINO_VISIBLE KeptReport
{
public:
  KeptReport () noexcept;
  ~KeptReport ();
  KeptReport (const KeptReport &) = delete;
  KeptReport &operator= (const KeptReport &) = delete;

  void rethrow () const;

  // Keeps the current exception; returns false if no object wants it.
  static bool keep_current () noexcept;

private:
  std::exception_ptr kept;
  KeptReport *before;
};

} // namespace sino
