// SPDX-License-Identifier: LGPL-3.0-or-later
// The live planes of a run, on the page.
#pragma once
#include "glue/watches.hpp"
#include "graph/graph.hpp"
#include "monitor/http/request.hpp"
#include "monitor/volume/picture.hpp"
#include <map>
#include <optional>

namespace sino::monitor {

class Planes
{
public:
  Planes () = default;
  explicit Planes (const Graph &graph);

  // The nodes that have planes, for the state.
  GVariant *describe () const;
  // Names, titles and versions of their pictures: "live/0".
  struct Shown {
    std::string name, title;
    int64_t version, projections, width, height;
  };
  std::vector<Shown> pictures () const;
  // The newest picture with its version; none: there is no such plane, or no picture yet.
  std::optional<std::pair<Plane, int64_t>> picture (const std::string &name) const;

  // Adds (number -1), moves or removes (plane "") a plane. Throws Error.
  void change (const std::string &node, int number, const std::string &plane) const;

private:
  struct Live {
    std::string node;
    std::shared_ptr<LivePlanes> planes;
  };
  std::vector<Live> all;

  std::shared_ptr<LivePlanes> find (const std::string &node) const;
};

} // namespace sino::monitor
