// SPDX-License-Identifier: LGPL-3.0-or-later
// Each node that has a Signature, with inputs and properties that show what it takes and gives.
#pragma once
#include "base/angle.hpp"
#include "formats/with-type.hpp"
#include "glue/registry.hpp"
#include "glue/shapes.hpp"
#include "graph/launch.hpp"
#include "plan/net.hpp"
#include "tests/support/expect.hpp"
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace sino::test {

// Value at a place of every stream: a whole number that all element types hold.
inline int value_at (int64_t angle, int64_t row, int64_t column)
{
  return 1 + static_cast<int> ((angle * 7 + row * 13 + column * 3) % 101);
}

// Calls `visit (angle, row, column, value)` for each value of a block, so that it can read or write it.
template <class AnyBlock, class Visit> void each_value (AnyBlock &block, Visit visit)
{
  formats::with_type (block.format ().element, [&] (auto zero) {
    auto *values = block.template as<decltype (zero)> ();
    for (int64_t a = 0; a < block.angles ().size (); a++)
      for (int64_t r = 0; r < block.rows ().size (); r++)
        for (int64_t c = 0; c < block.line (); c++)
          visit (block.angles ().begin + a, block.rows ().at (r), c, values[block.offset (a, r) + c * block.lanes ()]);
  });
}

template <class T> void set_value (T &value, int number)
{
  value = static_cast<T> (number);
}
inline void set_value (formats::Half &value, int number)
{
  value.bits = half_from_float (static_cast<float> (number));
}

// Nodes before and after the tested node.
struct Giver : Source {
  static constexpr Info info{"giver", "Gives a format, and value_at () as its values"};
  Format format;

  struct Work : SourceWorker {
    void fill (Block &out) override
    {
      each_value (out, [] (auto a, auto r, auto c, auto &value) { set_value (value, value_at (a, r, c)); });
    }
  };

  Format negotiate (std::span<const Format *const>) override { return format; }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

struct Taker : Sink {
  static constexpr Info info{"taker", "Takes any format, and keeps the values"};
  static inline Format format;              // of the last run
  static inline std::vector<double> values; // [row][angle][column]

  struct Work : SinkWorker {
    void take (const Block &in) override
    {
      each_value (in, [&] (auto a, auto r, auto c, auto value) {
        values[static_cast<size_t> ((r * format.angles () + a) * format.line () + c)] = formats::as_double (value);
      });
    }
  };

  Format negotiate (std::span<const Format *const> formats) override { return *formats[0]; }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    format = *replica.inputs[0];
    values.assign (static_cast<size_t> (format.rows () * format.angles () * format.line ()), NAN);
    return std::make_unique<Work> ();
  }
};

// Darks or flats of one value.
struct EvenFrames : Frames {
  int level;
  explicit EvenFrames (int l) : level (l) {}

  void read (Interval some, Interval lines, void *pixels, const Watch &) const override
  {
    formats::with_type (element, [&] (auto zero) {
      set_value (zero, level);
      std::fill_n (static_cast<decltype (zero) *> (pixels), some.size () * lines.size () * columns, zero);
    });
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

inline std::shared_ptr<const Frames> frames (Element element, int level)
{
  auto made = std::make_shared<EvenFrames> (level);
  made->element = element;
  made->count = 10;
  made->rows = rows;
  made->columns = columns;
  return made;
}

inline Format axes_of (Kind kind, Element element)
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

inline Format format_of (Kind kind, Element element, const Scan &scan)
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
    format.companions = {frames (element, 0), frames (element, 200), "giver"};
  if (scan.changed)
    format.changed_by = "giver";
  if (scan.filtered)
    format.filtered_by = "giver";
  format.materials = std::make_shared<const Materials> (); // as behind find-metal
  return format;
}

// Properties without which nodes take nothing, and those that together show all that the others take and give.
inline std::vector<std::string> settings_of (const std::string &node)
{
  static const std::map<std::string, std::vector<std::string>> all{
      {"app-source",
       {"rows=3 columns=5 element=u8", "rows=3 columns=5 element=u16", "rows=3 columns=5 element=f16",
        "rows=3 columns=5 element=f32"}},
      {"calculate", {"expression=x+1"}},
      {"correct-beam-hardening", {"coefficients=1,0.1"}},
      {"correct-dose", {"width=8"}},
      {"correct-two-materials", {"dense=Al voltage=100 unit=1"}},
      {"iterative-cone-reconstruct", {"iterations=2"}},
      {"minus-log", {"", "air=1000"}},
      {"preview", {"path=signatures.png overwrite=true"}},
      {"subtract-scatter", {"counts=10"}},
      {"receive",
       {"address=tcp://127.0.0.1:9 rows=3 columns=5 element=u8",
        "address=tcp://127.0.0.1:9 rows=3 columns=5 element=u16",
        "address=tcp://127.0.0.1:9 rows=3 columns=5 element=f16",
        "address=tcp://127.0.0.1:9 rows=3 columns=5 element=f32"}},
      {"remove-outliers", {"threshold=1"}},
      {"rescale", {"", "type=u16", "type=f32", "min=input max=input"}},
      {"retrieve-phase", {"delta-beta=100"}},
      {"send", {"address=tcp://127.0.0.1:* socket=pub"}},
      {"simulate", {"", "type=u16"}},
      {"try-axes", {"axis=20:28:2"}},
      {"undistort", {"file=lens.txt"}},
      {"write", {"path=signatures-%05i.tif overwrite=true", "path=signatures.h5 overwrite=true"}},
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

// The node of a line with formats at its inputs (null: open), and with a Taker if it has an output.
inline Graph graph_of (const std::string &line, const std::vector<std::unique_ptr<const Format>> &inputs)
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
  return graph;
}

using Shape = std::pair<Kind, Element>;

inline std::set<Shape> shapes (const Kinds &kinds, const Elements &elements)
{
  std::set<Shape> all;
  for (const auto kind : kinds.list ())
    for (const auto element : elements.list ())
      all.emplace (kind, element);
  return all;
}

inline std::string words (const Shape &shape)
{
  return text ("%s %s", name_of (shape.second), name_of (shape.first));
}

struct Node {
  std::string name;
  std::unique_ptr<Task> task;

  const Signature &signature () const { return *task->stated_signature; }

  // A line of properties, and a scan's formats for all inputs.
  struct Case {
    std::string line;
    std::vector<std::unique_ptr<const Format>> inputs; // null: open
  };

  // One shape at `port`, and `first` at the others that have to be connected.
  Case case_of (const std::string &properties, const Scan &scan, const Shape &shape, size_t port,
                const Shape &first) const
  {
    Case one{.line = name + " " + properties, .inputs = {}};
    const auto ports = task->inputs ();
    for (size_t i = 0; i < ports.size (); i++) {
      const auto &[kind, element] = i == port ? shape : first;
      const bool connected = i == port || i == 0 || !ports[i].optional;
      one.inputs.push_back (connected ? std::make_unique<const Format> (format_of (kind, element, scan)) : nullptr);
    }
    return one;
  }

  // These values have no geometry to find: the node needs that of the scan.
  bool runs_with (const Scan &scan) const { return scan.cone || name != "find-geometry"; }

  // Calls `visit (properties, scan)` with all that belong to the node, until it returns true.
  template <class Visit> void each_scan (Visit visit) const
  {
    for (const auto &properties : settings_of (name))
      for (const auto &scan : scans)
        if (runs_with (scan) && visit (properties, scan))
          return;
  }
};

inline std::vector<Node> nodes_with_signature ()
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

// A folder with the files that the properties name, for as long as it lives.
class Folder
{
public:
  Folder ()
  {
    g_assert_no_errno (chdir (path.get ()));
    std::ofstream ("lens.txt") << "xcenter = 24\nycenter = 16\nfactor0 = 1\n";
    std::ofstream ("zeros.raw") << std::string (5 * 3 * 4 * sizeof (float), '\0');
  }
  ~Folder () { std::filesystem::remove_all (path.get ()); }

private:
  CharPtr path{g_dir_make_tmp ("sino-signatures-XXXXXX", nullptr)};
};

} // namespace sino::test
