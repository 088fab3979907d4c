// SPDX-License-Identifier: LGPL-3.0-or-later
// A node that consists of others: in negotiation, its parts replace it.
#pragma once
#include "api/sino-task.h"
#include "base/pointers.hpp"
#include "glue/task.hpp"

namespace sino {

// The graph that replaces a composite.
struct Expansion {
  struct Setting {
    std::string property, word;
    std::string origin; // the composite's property that the value comes from, for messages; "": chosen by the composite
  };
  // A node of a registered type with these properties, or a finished `task`.
  struct Part {
    std::string name; // unique among the parts
    std::string type;
    std::vector<Setting> settings;
    ObjectPtr<SinoTask> task;
  };
  struct Wire {
    size_t from, to; // indices of parts
    size_t input = 0;
  };
  // Connects a port of the composite to an input of a part; one port may feed several.
  struct Feed {
    size_t port, to, input = 0;
  };

  std::vector<Part> parts;
  std::vector<Wire> wires;
  std::vector<Feed> feeds;
  size_t output = 0; // index of the part that gives the composite's output
  std::string why;   // choice of the composite and its reason, for `sinograph plan`
  std::string spare; // setting of the composite that reduces memory, for messages: "method=direct"; "": none
};

// The place where the graph will run. Results depend on the kind of device but not on the number of threads, so only
// messages may depend on `threads`.
struct Site {
  const Device &device;
  int threads;
};

// A task with an output that does not run itself: its format and work are those of its parts.
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
