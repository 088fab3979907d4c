// SPDX-License-Identifier: LGPL-3.0-or-later
// What each node's Signature says is what it takes and gives: all of it in negotiation, and nothing else.
#include "tests/unit/signature-cases.hpp"

namespace sino::test::signatures_test {

namespace {

// What a node puts out, or a sink takes, for these formats of its inputs.
Format answer (const Node::Case &one)
{
  return negotiate (graph_of (one.line, one.inputs))[0];
}

// The shapes that a node gives, or takes as a sink, for this shape at one port and `first` at the first one. Where it
// does not state that it takes them, it has to say that they are the reason.
std::set<Shape> answers (const Node &node, const Shape &shape, bool stated, size_t port, const Shape &first)
{
  std::set<Shape> found;
  node.each_scan ([&] (const std::string &properties, const Scan &scan) {
    const auto one = node.case_of (properties, scan, shape, port, first);
    try {
      const auto given = answer (one);
      found.emplace (given.kind (), given.element);
    } catch (const Error &e) {
      if (!stated && e.code != SINO_ERROR_BAD_FORMAT)
        g_error ("%s: %s", one.line.c_str (), e.what ());
    }
    return false;
  });
  return found;
}

std::string words (const std::set<Shape> &shapes)
{
  return join (shapes, ", ", [] (const Shape &shape) { return test::words (shape); });
}

void all_that_is_stated_and_nothing_else ()
{
  for (const auto &node : nodes_with_signature ()) {
    const auto &[takes, gives, integers, halves] = node.signature ();
    if (node.task->inputs ().empty ()) {
      std::set<Shape> given;
      for (const auto &line : settings_of (node.name)) {
        const auto format = answer ({node.name + " " + line, {}});
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
      same (title + words (answers (node, {kind, element}, stated, 0, {kind, element})), title + words (wanted));
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
        if (answers (node, {kind, element}, stated, port, first).empty () == stated)
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
    Node::Case one{line, {}};
    one.inputs.push_back (std::make_unique<const Format> (axes_of (kind, element)));
    return message_of ([&] { answer (one); });
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
  const Folder folder;
  g_test_add_func ("/signatures/nodes", all_that_is_stated_and_nothing_else);
  g_test_add_func ("/signatures/ports", what_ports_state);
  g_test_add_func ("/signatures/messages", messages);
  return g_test_run ();
}

} // namespace sino::test::signatures_test
