// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs a chain of nodes and gives what comes out.
#pragma once
#include "run/run.hpp"
#include "stream/format.hpp"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sino::monitor {

struct Collected {
  std::shared_ptr<const Format> format;
  std::vector<float> values; // dense, [row][angle][column] for projections, too
};

class Chain : NoCopy
{
public:
  // A launch line with one open end. Throws Error.
  explicit Chain (const std::string &line);
  ~Chain ();

  // Runs it on the CPU. Throws Error, or Cancelled once `wanted` is cancelled.
  Collected execute (const Monitor &wanted);
  // The format of what would come out, as nodes find it that look at some rows before a run. Throws as execute () does.
  std::shared_ptr<const Format> look (const Monitor &wanted);

private:
  struct Shared;
  std::shared_ptr<Shared> shared;
  std::optional<Run> run;
};

} // namespace sino::monitor
