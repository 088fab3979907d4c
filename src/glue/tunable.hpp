// SPDX-License-Identifier: LGPL-3.0-or-later
// A task whose work can be done in many ways on a device, among which 'sinograph tune' looks for the fastest. Formats
// are those of the last negotiation.
#pragma once
#include "device/device.hpp"
#include <string>
#include <utility>
#include <vector>

namespace sino {

struct Way {
  std::vector<std::pair<std::string, std::string>> properties; // names and values
  int lanes = 1;                                               // of the input
  std::string text;                                            // for people
};

// What a unit of the device allows.
struct Limit {
  const char *unit;
  double updates; // per second
};

class Tunable
{
public:
  virtual ~Tunable () = default;

  // The plainest, which gives the right result on every device.
  virtual Way reference_way (const Device &device) const = 0;
  // Some to begin with, the most promising first, and those that differ from one in a single respect. `lanes`: 0 for
  // any.
  virtual std::vector<Way> first_ways (const Device &device, int lanes) const = 0;
  virtual std::vector<Way> ways_near (const Device &device, const Way &way) const = 0;
  // Each kernel as it is usually set there, with every number of lanes; the first is what others are compared to.
  virtual std::vector<Way> usual_ways (const Device &device) const = 0;
  virtual std::vector<Limit> limits (const Device &device, const Way &way) const = 0;
  // Later runs of this user on such a device go this way, if `given` those that give the same lanes. Returns where that
  // is kept; throws Error.
  virtual std::string keep_way (const Device &device, const Way &way, bool given) const = 0;
  // The way as JSON for the node's table of tunings.
  virtual std::string entry_of (const Device &device, const Way &way) const = 0;
};

} // namespace sino
