// SPDX-License-Identifier: LGPL-3.0-or-later
// The displacements of all projections, shared by the workers of a run, and the messages about them.
#pragma once
#include "filters/align-projections/closing.hpp"
#include "filters/align-projections/registration.hpp"
#include "glue/task.hpp"

namespace sino::align_projections {

class Tally
{
public:
  Tally (Messages &m, Along a, int64_t angles, bool smoothed)
      : messages (m), along (a), is_smoothed (smoothed), all (static_cast<size_t> (angles))
  {
  }

  // What an earlier work item has found.
  std::optional<Registered> known (int64_t angle) const;
  void add (int64_t angle, const Registered &found);
  bool closed () const;
  void close (const Closing &closing, const Displacement &error);
  // Writes the messages. Call it after the run.
  void tell () const;

  static size_t bytes (int64_t angles) { return static_cast<size_t> (angles) * sizeof (std::optional<Registered>); }

private:
  Messages &messages;
  const Along along;
  const bool is_smoothed;
  mutable std::mutex mutex;
  std::vector<std::optional<Registered>> all;
  bool is_closed = false, closes = true;
  std::string closing; // words about the closing error

  void warn (const char *axis, int64_t unsure, int64_t projections) const;
  std::string range (const char *unit, Found Displacement::*axis) const;
};

} // namespace sino::align_projections
