// SPDX-License-Identifier: LGPL-3.0-or-later
// For C++ programs: owners of the objects that the C interface returns, and exceptions in place of GError. This header
// needs only GLib, so it also works with objects of other libraries.
//
//   sino::GObjectPtr<SinoGraph> graph (sino::call (sino_graph_new_from_launch, line));
//   sino::GObjectPtr<SinoRunner> runner (sino_runner_new ());
//   sino::call (sino_runner_run, runner.get (), graph.get (), nullptr);
#pragma once
#include <glib-object.h>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sino {

// Owns one reference to an object. A copy owns a reference of its own.
template <class T> class GObjectPtr
{
public:
  GObjectPtr () noexcept = default;
  // Takes over a reference, for results of functions that are documented as (transfer full).
  explicit GObjectPtr (T *owned) noexcept : object (owned) {}
  GObjectPtr (const GObjectPtr &other) noexcept : GObjectPtr (shared (other.object)) {}
  GObjectPtr (GObjectPtr &&other) noexcept : object (std::exchange (other.object, nullptr)) {}
  GObjectPtr &operator= (GObjectPtr other) noexcept
  {
    std::swap (object, other.object);
    return *this;
  }
  ~GObjectPtr () { reset (); }

  // Takes a reference of its own, for results of functions that are documented as (transfer none).
  static GObjectPtr shared (T *borrowed) noexcept
  {
    if (borrowed)
      g_object_ref (borrowed);
    return GObjectPtr (borrowed);
  }

  T *get () const noexcept { return object; }
  explicit operator bool () const noexcept { return object != nullptr; }
  // Returns the reference, which the caller then owns.
  [[nodiscard]] T *release () noexcept { return std::exchange (object, nullptr); }
  void reset () noexcept
  {
    if (T *old = release ())
      g_object_unref (old);
  }
  friend bool operator== (const GObjectPtr &a, const GObjectPtr &b) noexcept { return a.object == b.object; }

private:
  T *object = nullptr;
};

// A GError as an exception.
class CallError : public std::runtime_error
{
public:
  explicit CallError (const GError &error)
      : std::runtime_error (error.message), domain_ (error.domain), code_ (error.code)
  {
  }
  GQuark domain () const noexcept { return domain_; }
  int code () const noexcept { return code_; }
  bool matches (GQuark domain, int code) const noexcept { return domain_ == domain && code_ == code; }

private:
  GQuark domain_;
  int code_;
};

// Calls a C function with the given arguments and a GError ** after them; throws CallError if the function sets an
// error.
template <class Result, class... Wanted, class... Given>
Result call (Result (*function) (Wanted...), Given &&...arguments)
{
  static_assert (sizeof...(Wanted) == sizeof...(Given) + 1, "all arguments but the last, which is the error's");
  struct Place {
    GError *error = nullptr;
    ~Place () { g_clear_error (&error); }
    void check () const
    {
      if (error)
        throw CallError (*error);
    }
  } place;
  if constexpr (std::is_void_v<Result>) {
    function (std::forward<Given> (arguments)..., &place.error);
    place.check ();
  } else {
    Result result = function (std::forward<Given> (arguments)..., &place.error);
    place.check ();
    return result;
  }
}

} // namespace sino
