// SPDX-License-Identifier: LGPL-3.0-or-later
// A node that stands for others: when the graph is negotiated, these take its place.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/task.hpp"

namespace sino {

// The graph that a composite becomes.
struct Expansion {
  struct Setting {
    std::string property, word;
    std::string origin; // the composite's own property that says so, for messages; "": the composite by itself
  };
  // A node of a registered kind with these properties, or `task`, ready made.
  struct Part {
    std::string name; // unique among the parts
    std::string type;
    std::vector<Setting> settings;
    ObjectPtr<SinoTask> task;
  };
  struct Wire {
    size_t from, to; // parts
    size_t input = 0;
  };
  // A port of the composite goes to an input of a part; one port may feed several.
  struct Feed {
    size_t port, to, input = 0;
  };

  std::vector<Part> parts;
  std::vector<Wire> wires;
  std::vector<Feed> feeds;
  size_t output = 0; // the part that gives the composite's output
  std::string why;   // what was made of it and why, for `sinograph plan`
  std::string spare; // the property that makes less memory do, if there is one, for messages: "method=direct"
};

// Where the graph will run. Results depend on the device's kind but never on threads, so no choice may; what is said of
// it may.
struct Site {
  const Device &device;
  int threads;
};

// Has an output. Does not run by itself: its format and work are those of its parts.
class SINO_VISIBLE Composite : public Task
{
public:
  // `inputs` as for negotiate ().
  virtual Expansion expand (std::span<const Format *const> inputs, const Site &site) const = 0;

  const Composite *composite () const final { return this; }
  Format negotiate (std::span<const Format *const>) final;
  std::unique_ptr<Worker> start (const Replica &) final;
};

} // namespace sino
