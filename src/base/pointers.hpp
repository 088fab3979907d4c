// SPDX-License-Identifier: LGPL-3.0-or-later
// Owning pointers for GLib objects.
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

} // namespace sino
