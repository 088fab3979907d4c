// SPDX-License-Identifier: LGPL-3.0-or-later
// Owning pointers for GLib objects, and calls at the end of a scope.
#pragma once
#include "base/visibility.hpp"
#include <glib-object.h>
#include <memory>

namespace sino {

template <auto Free> struct Deleter {
  template <class T> void operator() (T *p) const noexcept { Free (p); }
};

template <class T> using ObjectPtr = std::unique_ptr<T, Deleter<g_object_unref>>;
using CharPtr = std::unique_ptr<char, Deleter<g_free>>;
using ErrorPtr = std::unique_ptr<GError, Deleter<g_error_free>>;

// Calls `end` when this object ceases to exist.
template <class End> class AtEnd : NoCopy
{
public:
  explicit AtEnd (End e) : end (std::move (e)) {}
  ~AtEnd () { end (); }

private:
  const End end;
};

} // namespace sino
