// SPDX-License-Identifier: LGPL-3.0-or-later
// Each node computes with every format that its Signature states: the same numbers in another element type give the
// same result.
#include "run/run.hpp"
#include "tests/unit/signature-cases.hpp"

namespace sino::test::signature_runs_test {

namespace {

struct Result {
  std::string refusal; // why the node did not take its inputs; "": it ran
  Element element = Element::f32;
  std::vector<double> values; // of a sink: none
};

Result result_of (const Node::Case &one)
{
  RunOptions options;
  options.threads = 2;
  Run run (graph_of (one.line, one.inputs), options);
  try {
    run.prepare ();
  } catch (const Error &e) {
    return {.refusal = e.what ()};
  }
  Taker::values.clear ();
  run.execute ();
  return {.element = Taker::format.element, .values = Taker::values};
}

// How far two results may lie apart: rounding to their element types, and in sums of f32.
double tolerance (Element element, double greatest)
{
  const bool integer = element == Element::u8 || element == Element::u16;
  return integer ? 0.5001 : (element == Element::f16 ? 0x1p-10 : 1e-5) * greatest;
}

void compare (const Node &node, const Shape &shape, const Result &result, const Result &reference)
{
  g_assert_cmpuint (result.values.size (), ==, reference.values.size ());
  double greatest = 0;
  for (const auto value : reference.values)
    greatest = std::max (greatest, std::abs (value));
  const auto allowed = tolerance (result.element, greatest) + tolerance (reference.element, greatest);
  for (size_t i = 0; i < result.values.size (); i++)
    if (!(std::abs (result.values[i] - reference.values[i]) <= allowed))
      g_error ("%s, given %s: value %zu is %g, not %g", node.name.c_str (), words (shape).c_str (), i, result.values[i],
               reference.values[i]);
}

// Runs the node with a shape at one port. If it takes the same numbers as `wide`, the result has to be the same.
void try_shape (const Node &node, const Shape &shape, Element wide, size_t port, const Shape &first)
{
  std::string refusal;
  node.each_scan ([&] (const std::string &properties, const Scan &scan) {
    const auto result = result_of (node.case_of (properties, scan, shape, port, first));
    refusal = result.refusal;
    if (!refusal.empty ())
      return false;
    const Shape widest{shape.first, wide};
    const auto reference = result_of (node.case_of (properties, scan, widest, port, port == 0 ? widest : first));
    if (reference.refusal.empty ())
      compare (node, shape, result, reference);
    return true;
  });
  if (!refusal.empty ())
    g_error ("%s does not take %s: %s", node.name.c_str (), words (shape).c_str (), refusal.c_str ());
}

void all_that_is_stated ()
{
  for (const auto &node : nodes_with_signature ()) {
    if (Registry::get ().module_of (node.name).ends_with ("test-nodes.so"))
      continue; // they compute nothing in particular
    const auto ports = node.task->inputs ();
    const auto &all = node.signature ().takes;
    for (size_t port = 0; port < ports.size (); port++) {
      const auto &takes = port == 0 ? all : ports[port].takes;
      for (const auto &shape : shapes (takes.kinds, takes.elements))
        try_shape (node, shape, takes.elements.list ().back (), port,
                   port == 0 ? shape : Shape{all.kinds.list ().front (), all.elements.list ().front ()});
    }
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  const Folder folder;
  g_test_add_func ("/signature-runs/nodes", all_that_is_stated);
  return g_test_run ();
}

} // namespace sino::test::signature_runs_test
