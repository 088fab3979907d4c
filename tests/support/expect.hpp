// SPDX-License-Identifier: LGPL-3.0-or-later
// Texts, and how an expression fails, for tests of exact messages.
#pragma once
#include "base/error.hpp"
#include <source_location>

namespace sino::test {

// g_assert_cmpstr () for strings, which may be temporaries.
inline void same (const std::string &got, const std::string &wanted,
                  std::source_location at = std::source_location::current ())
{
  if (got != wanted)
    g_error ("%s:%u:\n     got: %s\n  wanted: %s", at.file_name (), at.line (), got.c_str (), wanted.c_str ());
}

template <class Body> std::string message_of (Body body)
{
  try {
    body ();
  } catch (const Error &e) {
    return e.what ();
  }
  return "(no error)";
}

template <class Body> int code_of (Body body)
{
  try {
    body ();
  } catch (const Error &e) {
    return e.code;
  }
  return -1;
}

// Whether it ends by that a run was cancelled.
template <class Body> bool cancelled (Body body)
{
  try {
    body ();
  } catch (const Cancelled &) {
    return true;
  }
  return false;
}

} // namespace sino::test
