// SPDX-License-Identifier: LGPL-3.0-or-later
// What each node's Signature says is what it takes and gives: all of it in negotiation, and nothing else.
#include "base/angle.hpp"
#include "glue/registry.hpp"
#include "glue/signature.hpp"
#include "graph/launch.hpp"
#include "plan/net.hpp"
#include "tests/support/expect.hpp"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace sino::test::signatures_test {

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

// Scans that suit one node or another: half or whole turn, counts with darks and flats or attenuation, parallel or cone
// beam, filtered or not.
struct Scan {
  bool companions, changed, whole_turn, cone, filtered;
};
constexpr Scan scans[] = {{false, true, false, false, false}, {true, false, false, false, false},
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

Format axes_of (Kind kind, Element element)
{
  switch (kind) {
  case Kind::projections:
    return projections (element, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, columns});
  case Kind::sinograms:
    return sinograms (element, {Axis::row, rows}, {Axis::angle, angles}, {Axis::column, columns});
  case Kind::slices:
    return slices (element, {Axis::z, rows}, {Axis::y, columns}, {Axis::x, columns});
  case Kind::other:
    break;
  }
  Format two; // as percentiles gives them
  two.element = element;
  two.axes = {{Axis::row, 1}, {Axis::column, 2}};
  return two;
}

Format format_of (Kind kind, Element element, const Scan &scan)
{
  auto format = axes_of (kind, element);
  Geometry geometry;
  geometry.axis = {columns / 2.0};
  geometry.pixel_size = 1e-3;
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
  if (scan.companions && format.has (Axis::angle))
    format.companions = {frames (element), frames (element), "giver"};
  if (scan.changed)
    format.changed_by = "giver";
  if (scan.filtered)
    format.filtered_by = "giver";
  return format;
}

// Properties without which nodes take nothing, and those that together show all that the others take and give.
std::vector<std::string> settings_of (const std::string &node)
{
  static const std::map<std::string, std::vector<std::string>> all{
      {"app-source",
       {"rows=3 columns=5 element=u8", "rows=3 columns=5 element=u16", "rows=3 columns=5 element=f16",
        "rows=3 columns=5 element=f32"}},
      {"calculate", {"expression=x+1"}},
      {"correct-dose", {"width=8"}},
      {"minus-log", {"", "air=1000"}},
      {"preview", {"path=signatures.png"}},
      {"remove-outliers", {"threshold=1"}},
      {"rescale", {"", "type=u16", "type=f32", "min=input max=input"}},
      {"retrieve-phase", {"delta-beta=100"}},
      {"simulate", {"", "type=u16"}},
      {"try-axes", {"axis=20:28:2"}},
      {"undistort", {"file=lens.txt"}},
      {"write", {"path=signatures-%05i.tif", "path=signatures.h5"}},
  };
  if (node == "read") {
    std::vector<std::string> list;
    for (const auto *kind : {"projections", "sinograms", "slices"})
      for (const auto element : any_element.list ())
        list.push_back (text ("path=zeros.raw raw=%s:5x3x4 axes=%s", name_of (element), kind));
    return list;
  }
  const auto found = all.find (node);
  return found == all.end () ? std::vector<std::string>{""} : found->second;
}

// What a node puts out, or a sink takes, for these formats of its inputs (null: open).
Format answer (const std::string &line, const std::vector<const Format *> &inputs)
{
  auto graph = parse_launch (line);
  for (size_t port = 0; port < inputs.size (); port++)
    if (inputs[port]) {
      auto giver = make<Giver> ();
      Held<Giver>::of (giver.get ()).format = *inputs[port];
      graph.connect (graph.add (std::move (giver), text ("giver-%zu", port)), 0, port);
    }
  if (has_output (graph.nodes ()[0].task.get ()))
    graph.connect (0, graph.add (make<Taker> (), "taker"));
  return negotiate (graph)[0];
}

using Shape = std::pair<Kind, Element>;

struct Node {
  std::string name;
  std::unique_ptr<Task> task;

  const Signature &signature () const { return *task->stated_signature; }

  // The shapes that it gives, or takes as a sink, for this shape at one port and `first` at the first one. Where it
  // does not state that it takes them, it has to say that they are the reason.
  std::set<Shape> answers (const Shape &shape, bool stated, size_t port, const Shape &first) const
  {
    std::set<Shape> found;
    const auto ports = task->inputs ();
    for (const auto &words : settings_of (name))
      for (const auto &scan : scans) {
        const auto format = format_of (shape.first, shape.second, scan),
                   others = format_of (first.first, first.second, scan);
        std::vector<const Format *> inputs;
        for (size_t i = 0; i < ports.size (); i++)
          inputs.push_back (i == port ? &format : i == 0 || !ports[i].optional ? &others : nullptr);
        try {
          const auto given = answer (name + " " + words, inputs);
          found.emplace (given.kind (), given.element);
        } catch (const Error &e) {
          if (!stated && e.code != SINO_ERROR_BAD_FORMAT)
            g_error ("%s %s: %s", name.c_str (), words.c_str (), e.what ());
        }
      }
    return found;
  }
};

std::set<Shape> shapes (const Kinds &kinds, const Elements &elements)
{
  std::set<Shape> all;
  for (const auto kind : kinds.list ())
    for (const auto element : elements.list ())
      all.emplace (kind, element);
  return all;
}

std::string words (const std::set<Shape> &shapes)
{
  return join (shapes, ", ", [] (const Shape &s) { return text ("%s %s", name_of (s.second), name_of (s.first)); });
}

std::vector<Node> nodes_with_signature ()
{
  std::vector<Node> nodes;
  std::string without;
  for (const auto &name : Registry::get ().names ()) {
    auto graph = parse_launch (name);
    auto task = snapshot (graph.nodes ()[0].task.get ());
    const auto module = Registry::get ().module_of (name);
    if (task->stated_signature)
      nodes.push_back ({name, std::move (task)});
    else if (!module.ends_with ("test-nodes.so"))
      without += name + " ";
  }
  same (without, "graph "); // takes and gives what its file does
  return nodes;
}

void all_that_is_stated_and_nothing_else ()
{
  for (const auto &node : nodes_with_signature ()) {
    const auto &[takes, gives, integers, halves] = node.signature ();
    if (node.task->inputs ().empty ()) {
      std::set<Shape> given;
      for (const auto &line : settings_of (node.name)) {
        const auto format = answer (node.name + " " + line, {});
        given.emplace (format.kind (), format.element);
      }
      same (node.name + ": " + words (given), node.name + ": " + words (shapes (gives.kinds, gives.elements)));
      continue;
    }
    for (const auto &[kind, element] : shapes (any_kind, any_element)) {
      const bool stated = takes.kinds.has (kind) && takes.elements.has (element), sink = !node.task->has_output ();
      const auto wanted = !stated ? std::set<Shape> ()
                          : sink  ? shapes (kind, element)
                                  : shapes (gives.kinds.empty () ? kind : gives.kinds,
                                           gives.elements.empty () ? element : gives.elements);
      const auto title = text ("%s, given %s %s: ", node.name.c_str (), name_of (element), name_of (kind));
      same (title + words (node.answers ({kind, element}, stated, 0, {kind, element})), title + words (wanted));
    }
  }
}

void what_ports_state ()
{
  size_t ports_seen = 0;
  for (const auto &node : nodes_with_signature ()) {
    const auto ports = node.task->inputs ();
    const auto &takes = node.signature ().takes;
    for (size_t port = 1; port < ports.size (); port++) {
      const auto &own = ports[port].takes;
      if (own.kinds.empty ())
        continue;
      ports_seen++;
      const Shape first{takes.kinds.list ().front (), takes.elements.list ().front ()};
      for (const auto &[kind, element] : shapes (any_kind, any_element)) {
        const bool stated = own.kinds.has (kind) && own.elements.has (element);
        if (node.answers ({kind, element}, stated, port, first).empty () == stated)
          g_error ("%s does not take %s %s at '%s' as it says", node.name.c_str (), name_of (element), name_of (kind),
                   ports[port].name);
      }
    }
  }
  g_assert_cmpuint (ports_seen, ==, 3); // darks and flats of flat-field, limits of rescale
}

void messages ()
{
  const auto message = [] (const std::string &line, Kind kind, Element element) {
    const auto format = axes_of (kind, element);
    return message_of ([&] { answer (line, {&format}); });
  };
  const std::string slices = "f32 slices (z 32, y 48, x 48)",
                    projections = "projections (angle 180, row 32, column 48)",
                    sinograms = "f32 sinograms (row 32, angle 180, column 48)";
  same (message ("ramp-filter", Kind::slices, Element::f32),
        "'ramp-filter', fed by 'giver-0': wants projections or sinograms, got " + slices +
            ": put this node before the reconstruction, or correct axes= of 'read'");
  same (message ("reconstruct", Kind::slices, Element::f32),
        "'reconstruct', fed by 'giver-0': wants projections or sinograms, got " + slices +
            ": leave this node out, because slices are reconstructed already, or correct axes= of 'read'");
  same (message ("transpose", Kind::sinograms, Element::f32),
        "'transpose', fed by 'giver-0': wants projections or slices, got " + sinograms +
            ": put this node before 'interleave'");
  same (message ("remove-stripes", Kind::projections, Element::f32),
        "'remove-stripes', fed by 'giver-0': wants sinograms, got f32 " + projections + ": put 'interleave' before it");
  same (message ("median", Kind::other, Element::f32),
        "'median', fed by 'giver-0': wants projections, sinograms or slices, got f32 data (row 1, column 2)");
  same (message ("ramp-filter", Kind::projections, Element::u16),
        "'ramp-filter', fed by 'giver-0': wants f32 values, got u16 " + projections +
            ": put 'flat-field' before it, which turns counts into attenuation");
  same (message ("ramp-filter", Kind::projections, Element::f16),
        "'ramp-filter', fed by 'giver-0': wants f32 values, got f16 " + projections +
            ": leave out 'half-pack', or put it after this node");
  same (message ("retrieve-phase delta-beta=1", Kind::projections, Element::u8),
        "'retrieve-phase', fed by 'giver-0': wants f32 values, got u8 " + projections +
            ": put 'flat-field absorption=false' before it");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  const CharPtr folder (g_dir_make_tmp ("sino-signatures-XXXXXX", nullptr));
  g_assert_no_errno (chdir (folder.get ()));
  std::ofstream ("lens.txt") << "xcenter = 24\nycenter = 16\nfactor0 = 1\n";
  std::ofstream ("zeros.raw") << std::string (5 * 3 * 4 * sizeof (float), '\0');
  g_test_add_func ("/signatures/nodes", all_that_is_stated_and_nothing_else);
  g_test_add_func ("/signatures/ports", what_ports_state);
  g_test_add_func ("/signatures/messages", messages);
  const int status = g_test_run ();
  std::filesystem::remove_all (folder.get ());
  return status;
}

} // namespace sino::test::signatures_test
