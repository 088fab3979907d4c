// SPDX-License-Identifier: LGPL-3.0-or-later
// Converts exceptions to GErrors, and GErrors from C or Python to exceptions; the only place that does.
#pragma once
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "base/usual-arithmetic.hpp"

namespace sino {

// Fills `error` from the current exception. To be called inside catch (...).
SINO_VISIBLE void set_error_from_current_exception (GError **error) noexcept;

// Runs `body` for a C function. Returns its result, or true if it has none; if it fails, sets `error` and returns null,
// 0 or false. Meanwhile floating-point numbers are rounded in the usual way, whatever the program has set.
template <class Body> auto guarded (GError **error, Body body) noexcept
{
  const UsualArithmetic usual;
  using Result = decltype (body ());
  try {
    if constexpr (std::is_void_v<Result>) {
      body ();
      return true;
    } else
      return body ();
  } catch (...) {
    set_error_from_current_exception (error);
    return std::conditional_t<std::is_void_v<Result>, bool, Result> ();
  }
}

// For callbacks of GLib without a GError: reports an exception of `body` as a critical message, "SinoRead: 'path'
// cannot be set: ...".
SINO_VISIBLE void report_current_exception (const char *type, const char *what) noexcept;
template <class Body> void reported (const char *type, const char *what, Body body) noexcept
{
  try {
    body ();
  } catch (...) {
    report_current_exception (type, what);
  }
}

// Throws the error of a C function: Cancelled for G_IO_ERROR_CANCELLED; other codes of other domains become
// SINO_ERROR_FAILED.
[[noreturn]] SINO_VISIBLE void throw_error (ErrorPtr error);

} // namespace sino
