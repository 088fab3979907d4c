// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/run/planes.hpp"
#include "base/shown.hpp"
#include "base/variant.hpp"
#include "glue/facets.hpp"
#include "graph/snapshot.hpp"

namespace sino::monitor {

Planes::Planes (const Graph &graph)
{
  for (const auto &node : graph.nodes ())
    if (auto planes = facet<Watches> (*snapshot (node.task.get ())).planes ())
      all.push_back ({node.name, std::move (planes)});
}

std::shared_ptr<LivePlanes> Planes::find (const std::string &node) const
{
  const auto found = std::ranges::find (all, node, &Live::node);
  return found == all.end () ? nullptr : found->planes;
}

// The newest picture; none: not yet, or the run has failed.
static std::optional<LivePicture> newest (LivePlanes &planes, int number)
{
  try {
    return planes.pull (number, 0, std::chrono::microseconds (0), [] { return false; });
  } catch (const Error &) {
    return {};
  }
}

GVariant *Planes::describe () const
{
  return Dict::array (all, [] (const Live &live) {
    Dict dict;
    dict.add ("node", live.node);
    dict.add ("planes", live.planes->list (), [] (const auto &plane) {
      return Dict ().add ("number", plane.first).add ("plane", plane.second).end ();
    });
    if (const auto found = live.planes->found_axis ())
      dict.add ("found-axis", Dict ()
                                  .add ("column", found->column)
                                  .add ("deviation", found->deviation)
                                  .add ("projections", found->projections)
                                  .add ("settled", found->settled)
                                  .end ());
    return dict.end ();
  });
}

std::vector<Planes::Shown> Planes::pictures () const
{
  std::vector<Shown> shown;
  for (const auto &live : all)
    for (const auto &[number, plane] : live.planes->list ())
      if (const auto picture = newest (*live.planes, number)) {
        const auto &format = picture->block.format ();
        shown.push_back ({live.node + "/" + std::to_string (number), picture->plane, picture->version,
                          picture->projections, format.extent (Axis::x), format.extent (Axis::y)});
      }
  return shown;
}

std::optional<std::pair<Plane, int64_t>> Planes::picture (const std::string &name) const
{
  const auto slash = name.rfind ('/');
  int64_t number = 0;
  const auto planes = slash == name.npos ? nullptr : find (name.substr (0, slash));
  if (!planes || !parse_integer (name.substr (slash + 1), number))
    return {};
  const auto picture = newest (*planes, static_cast<int> (number));
  if (!picture)
    return {};
  const auto &format = picture->block.format ();
  Plane plane{.width = format.extent (Axis::x), .height = format.extent (Axis::y)};
  const auto *values = picture->block.as<float> ();
  plane.values.assign (values, values + plane.width * plane.height);
  return std::pair{std::move (plane), picture->version};
}

void Planes::change (const std::string &node, int number, const std::string &plane) const
{
  const auto planes = find (node);
  if (!planes)
    throw Refused (404, "there is no node " + in_quotes (node) + " that shows planes");
  if (number < 0)
    planes->add (plane);
  else if (plane.empty ())
    planes->remove (number);
  else
    planes->move (number, plane);
}

} // namespace sino::monitor
