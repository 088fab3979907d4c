// SPDX-License-Identifier: LGPL-3.0-or-later
// Every value must arrive where the definition of the axes says; the padding of lanes is zero.
#include "base/error.hpp"
#include "tests/support/run-task.hpp"
#include <cstring>
#include <deque>

namespace sino::test::interleave_test {

namespace {

constexpr Element elements[] = {Element::u8, Element::u16, Element::f16, Element::f32};

// Random bytes: a value that goes astray cannot pass for another.
Array make (const Format &format)
{
  Array array{format, std::vector<std::byte> (static_cast<size_t> (format.bytes ()))};
  uint32_t state = 1;
  for (auto &b : array.bytes)
    b = static_cast<std::byte> ((state = state * 1664525u + 1013904223u) >> 24);
  return array;
}

// (angle, row, column) -> (row, angle, column) by definition.
std::vector<std::byte> swapped (const Array &in)
{
  const auto angles = in.format.angles (), rows = in.format.rows ();
  const auto line = static_cast<size_t> (in.format.line ()) * size_of (in.format.element);
  std::vector<std::byte> out (in.bytes.size ());
  for (int64_t a = 0; a < angles; a++)
    for (int64_t r = 0; r < rows; r++)
      std::memcpy (&out[static_cast<size_t> (r * angles + a) * line],
                   &in.bytes[static_cast<size_t> (a * rows + r) * line], line);
  return out;
}

void check (const Array &in, const char *lanes, Cut cut, int wanted, const std::vector<std::byte> &truth)
{
  const auto task = make_task ("interleave", {{"lanes", lanes}});
  const auto out = run_task (*task, {&in}, cut, wanted);
  g_assert_true (out.format.kind () == Kind::sinograms);
  const auto is = out.format.describe ();
  const auto should = sinograms (in.format.element, in.format.dim (Axis::row), in.format.dim (Axis::angle),
                                 in.format.dim (Axis::column))
                          .describe ();
  g_assert_cmpstr (is.c_str (), ==, should.c_str ());
  g_assert_cmpmem (out.bytes.data (), out.bytes.size (), truth.data (), truth.size ());
}

void test_transposes ()
{
  for (const auto element : elements)
    for (const int64_t columns : {1, 7, 64, 83})
      for (const char *lanes : {"1", "2", "4", "8", "16", "32"}) {
        const auto in = make (projections (element, {Axis::angle, 5}, {Axis::row, 37}, {Axis::column, columns}));
        const auto truth = swapped (in);
        for (const Cut cut : {Cut{}, Cut{0, 2, 1}, Cut{5, 3, 2}, Cut{16, 1, 2}})
          check (in, lanes, cut, 1, truth);
      }
}

void test_several_blocks_under_way ()
{
  const auto in = make (projections (Element::f32, {Axis::angle, 30}, {Axis::row, 37}, {Axis::column, 83}));
  for (const int threads : {3, 8})
    check (in, "16", Cut{0, 1, threads}, 1, swapped (in));
}

void test_auto_follows_the_consumer ()
{
  const auto in = make (projections (Element::u16, {Axis::angle, 3}, {Axis::row, 9}, {Axis::column, 20}));
  const auto task = make_task ("interleave");
  g_assert_cmpint (task->output_lanes (1, 16), ==, 16);
  g_assert_cmpint (make_task ("interleave", {{"lanes", "4"}})->output_lanes (1, 16), ==, 4);
  check (in, "auto", {}, 8, swapped (in));
}

void test_takes_sinograms ()
{
  const auto in = make (sinograms (Element::f32, {Axis::row, 19}, {Axis::angle, 4}, {Axis::column, 13}));
  for (const char *lanes : {"1", "4", "16"})
    for (const Cut cut : {Cut{}, Cut{6, 0, 1}})
      check (in, lanes, cut, 1, in.bytes);
}

struct Queue final : Input {
  std::deque<Block> blocks;
  Block pop () override
  {
    if (blocks.empty ())
      return {};
    Block b = blocks.front ();
    blocks.pop_front ();
    return b;
  }
};

struct Single final : Output {
  Block block;
  bool given = false;
  Rows rows () const override { return block.rows (); }
  Block next () override
  {
    Block b = given ? Block{} : block;
    given = true;
    return b;
  }
  const Region *coming () const override { return given ? nullptr : &block.region (); }
  void push (Block) override {}
};

// The values as they lie in memory, lane padding included, from projections and from single rows of
// sinograms.
void test_memory_layout ()
{
  const auto check_layout = [] (const Format &format, const std::vector<Region> &regions) {
    const auto task = make_task ("interleave", {{"lanes", "4"}});
    const Format *formats[] = {&format};
    const auto output = std::make_shared<const Format> (task->negotiate (formats));
    const auto shared = std::make_shared<const Format> (format);
    Monitor monitor;
    const Cpu cpu (1, monitor);
    Counters counters;
    Messages messages;
    Allotment memory;
    const Layout layouts[] = {{1}};
    const auto failed = [] (const std::exception_ptr &) { g_assert_not_reached (); };
    const auto worker = task->start (
        {*native_device (), cpu, monitor, failed, counters, messages, memory, formats, output.get (), layouts, {4}});
    Queue queue;
    for (const auto &region : regions) {
      Block b = make_block (shared, {1}, region);
      for (int64_t a = 0; a < region.angles.size (); a++)
        for (int64_t r = 0; r < region.rows.size (); r++)
          for (int64_t c = 0; c < 5; c++)
            b.as<float> ()[b.offset (a, r) + c] =
                static_cast<float> (100 * region.rows.at (r) + 10 * (region.angles.begin + a) + c);
      queue.blocks.push_back (b);
    }
    Single single;
    single.block = make_block (output, {4}, {{8, 11}, {0, 2}});
    std::memset (single.block.data (), 0xa5, single.block.bytes ());
    Input *inputs[] = {&queue};
    worker->run (inputs, &single);
    const auto *out = single.block.as<float> ();
    for (int a = 0; a < 2; a++)
      for (int c = 0; c < 5; c++)
        for (int lane = 0; lane < 4; lane++)
          g_assert_cmpfloat (out[(a * 5 + c) * 4 + lane], ==,
                             lane < 3 ? static_cast<float> (100 * (8 + lane) + 10 * a + c) : 0.f);
  };
  const Dim angle{Axis::angle, 2}, row{Axis::row, 12}, column{Axis::column, 5};
  check_layout (projections (Element::f32, angle, row, column), {{{7, 12}, {0, 1}}, {{7, 12}, {1, 2}}});
  check_layout (sinograms (Element::f32, row, angle, column),
                {{{8, 9}, {0, 2}}, {{9, 10}, {0, 2}}, {{10, 11}, {0, 2}}});
}

void test_refuses_slices ()
{
  const auto format = slices (Element::f32, {Axis::z, 2}, {Axis::y, 3}, {Axis::x, 3});
  const Format *formats[] = {&format};
  try {
    negotiated (*make_task ("interleave"), formats);
    g_assert_not_reached ();
  } catch (const Error &e) {
    g_assert_cmpstr (e.what (), ==,
                     "wants projections or sinograms, got f32 slices (z 2, y 3, x 3): put this node before the "
                     "reconstruction, or correct axes= of 'read'");
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/interleave/transposes", test_transposes);
  g_test_add_func ("/interleave/several-blocks-under-way", test_several_blocks_under_way);
  g_test_add_func ("/interleave/auto", test_auto_follows_the_consumer);
  g_test_add_func ("/interleave/sinograms", test_takes_sinograms);
  g_test_add_func ("/interleave/layout", test_memory_layout);
  g_test_add_func ("/interleave/refuses", test_refuses_slices);
  return g_test_run ();
}

} // namespace sino::test::interleave_test
