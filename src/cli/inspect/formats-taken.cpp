// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/inspect/formats-taken.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "glue/binding.hpp"
#include "plan/net.hpp"
#include <chrono>
#include <cstring>
#include <future>
#include <memory>

namespace sino::cli {

namespace {

// Nodes before and after the tested node. They never run.
struct Giver : Task {
  static constexpr Info info{"giver", "Gives a format"};
  Format format;

  std::span<const Port> inputs () const override { return {}; }
  Format negotiate (std::span<const Format *const>) override { return format; }
  std::unique_ptr<Worker> start (const Replica &) override { return nullptr; }
};

struct Taker : Task {
  static constexpr Info info{"taker", "Takes any format"};

  bool has_output () const override { return false; }
  Format negotiate (std::span<const Format *const> formats) override { return *formats[0]; }
  std::unique_ptr<Worker> start (const Replica &) override { return nullptr; }
};

struct DarkFrames : Frames {
  void read (Interval some, Interval lines, void *pixels, const Watch &) const override
  {
    std::memset (pixels, 0, static_cast<size_t> (some.size () * lines.size ()) * row_bytes ());
  }
};

template <class T> ObjectPtr<SinoTask> make ()
{
  return ObjectPtr<SinoTask> (SINO_TASK (g_object_new (Binding<T>::gtype (), nullptr)));
}

// Kinds of scans for tests: half or whole turn, counts with darks and flats or attenuation, parallel or cone beam,
// filtered or not.
struct TriedScan {
  bool companions, changed, whole_turn, cone, filtered;
};
constexpr TriedScan scans[] = {{false, true, false, false, false}, {true, false, false, false, false},
                               {false, true, true, false, false},  {true, false, true, false, false},
                               {false, true, true, true, false},   {true, false, true, true, false},
                               {false, true, true, true, true},    {false, true, false, false, true}};

constexpr int64_t angles = 180, rows = 32, columns = 48;

std::shared_ptr<const Frames> frames (Element element)
{
  auto made = std::make_shared<DarkFrames> ();
  made->element = element;
  made->count = 10;
  made->rows = rows;
  made->columns = columns;
  return made;
}

Format format_of (Kind kind, Element element, const TriedScan &scan)
{
  auto format = kind == Kind::projections
                    ? projections (element, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, columns})
                : kind == Kind::sinograms
                    ? sinograms (element, {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns})
                    : slices (element, {Axis::z, rows}, {Axis::y, columns}, {Axis::x, columns});
  Geometry geometry;
  geometry.axis = {columns / 2.0};
  geometry.pixel_size = 1e-6;
  geometry.energy = 20;
  geometry.distance = 0.1;
  for (int64_t i = 0; i < angles; i++)
    geometry.angles.push_back (radians ((scan.whole_turn ? 360.0 : 180.0) * static_cast<double> (i) / angles));
  if (scan.cone) {
    ScanSetup setup;
    setup.source_origin = setup.origin_detector = 10 * columns;
    setup.column = columns / 2.0;
    setup.row = rows / 2.0;
    geometry.views = views_of (setup, geometry.angles);
  }
  format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  if (scan.companions && kind != Kind::slices)
    format.companions = {frames (element), frames (element), "giver"};
  if (scan.changed)
    format.changed_by = "giver";
  if (scan.filtered)
    format.filtered_by = "giver";
  return format;
}

// The format that a node puts out (a sink: takes) if all required inputs have this format. Throws Error.
Format answer (const std::string &node, const Format &format)
{
  Graph graph;
  const auto place = graph.add (node, "node");
  auto *task = graph.nodes ()[place].task.get ();
  const auto ports = input_ports (task);
  for (size_t port = 0; port < ports.size (); port++)
    if (!ports[port].optional) {
      auto giver = make<Giver> ();
      Held<Giver>::of (giver.get ()).format = format;
      graph.connect (graph.add (std::move (giver), text ("giver-%zu", port)), place, port);
    }
  if (has_output (task))
    graph.connect (place, graph.add (make<Taker> (), "taker"));
  return negotiate (graph)[place];
}

Shape shape_of (const Format &format)
{
  Shape shape{format.element, format.kind (), {}};
  for (const auto &dim : format.axes)
    shape.axes.push_back (dim.axis);
  return shape;
}

// An error message without the names of the test nodes.
std::string bare (const std::string &message)
{
  const auto end = message.find (": ");
  return message.starts_with ("'node'") && end != message.npos ? message.substr (end + 2) : message;
}

Fits ask_all (const std::string &node)
{
  Fits found;
  std::string property, other; // the first reason due to a property, and the first other one
  const auto ask = [&] (const Format &format) {
    try {
      const auto given = shape_of (answer (node, format));
      const auto taken = shape_of (format);
      found.fits.push_back ({taken, given});
      return true;
    } catch (const Error &e) {
      auto &reason = e.code == SINO_ERROR_BAD_PROPERTY ? property : other;
      if (reason.empty ())
        reason = bare (e.what ());
      return false;
    }
  };
  bool source = true;
  try {
    Graph graph;
    source = input_ports (graph.nodes ()[graph.add (node)].task.get ()).empty ();
  } catch (const Error &e) {
    return {{}, e.what ()};
  }
  for (const auto kind : {Kind::projections, Kind::sinograms, Kind::slices})
    for (const auto element : {Element::u8, Element::u16, Element::f16, Element::f32})
      for (const auto &scan : scans)
        if (found.fits.empty () || !source)
          if (ask (format_of (kind, element, scan)) || source)
            break;
  if (source && !found.fits.empty ())
    found.fits[0].taken = found.fits[0].given;
  if (found.fits.empty ())
    found.why = property.empty () ? other : property;
  return found;
}

} // namespace

// Asks in a separate thread, which is left behind if a node does not answer, so that the list of nodes does not wait.
Fits formats_taken (const std::string &node)
{
  std::packaged_task<Fits ()> task ([node] { return ask_all (node); });
  auto answer = task.get_future ();
  start_thread ([asking = std::make_shared<std::packaged_task<Fits ()>> (std::move (task))] {
    (*asking) ();
  }).detach ();
  constexpr std::chrono::seconds patience (2);
  if (answer.wait_for (patience) == std::future_status::timeout)
    return {{}, text ("it does not answer within %d s", static_cast<int> (patience.count ()))};
  return answer.get ();
}

} // namespace sino::cli
