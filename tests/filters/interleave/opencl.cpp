// SPDX-License-Identifier: LGPL-3.0-or-later
// Lanes on the first OpenCL device: interleave-opencl [small]. Every value must arrive where the blocks' own
// description of memory says, the padding of lanes is zero, and what no input has stays untouched.
#include "filters/interleave/opencl-lanes.hpp"
#include "stream/format.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"
#include <cstring>

namespace sino::test::interleave_opencl_test {

namespace {

bool small = false;

struct Scan {
  int64_t rows, angles, columns;
  Element element;
};

std::shared_ptr<const Format> format_of (const Scan &scan, bool projected)
{
  const Dim angle{Axis::angle, scan.angles}, row{Axis::row, scan.rows}, column{Axis::column, scan.columns};
  return std::make_shared<const Format> (projected ? projections (scan.element, angle, row, column)
                                                   : sinograms (scan.element, row, angle, column));
}

// A value that tells where it is from, never 0 in a byte (padding) and never 0xa5a5... (untouched) in four.
uint32_t value_at (int64_t angle, int64_t row, int64_t column)
{
  const auto mixed = static_cast<uint32_t> ((angle * 1009 + row) * 100003 + column) * 2654435761u;
  return (mixed >> 3) | 0x01010101;
}

// All that a block holds.
std::vector<std::byte> fill (const Block &block)
{
  const auto size = size_of (block.format ().element);
  std::vector<std::byte> bytes (block.bytes ());
  for (int64_t r = 0; r < block.rows ().size (); r++)
    for (int64_t a = 0; a < block.angles ().size (); a++)
      for (int64_t c = 0; c < block.line (); c++) {
        const auto value = value_at (block.angles ().begin + a, block.rows ().at (r), c);
        std::memcpy (&bytes[static_cast<size_t> (block.offset (a, r) + c * block.lanes ()) * size], &value, size);
      }
  return bytes;
}

// What `out` holds after some inputs came. `untouched` lanes keep the bytes of a fresh buffer.
std::vector<std::byte> truth (const Block &out, const std::vector<Region> &inputs)
{
  const auto size = size_of (out.format ().element);
  const auto full = fill (out);
  std::vector<std::byte> bytes (out.bytes (), std::byte{0xa5});
  const auto rows = out.rows ().size (), lanes = int64_t{out.lanes ()};
  for (const auto &in : inputs)
    for (int64_t r = 0; r < (rows + lanes - 1) / lanes * lanes; r++)
      for (auto a = in.angles.begin; a < in.angles.end; a++)
        if (in.rows.place (out.rows ().at (std::min (r, rows - 1))) >= 0)
          for (int64_t c = 0; c < out.line (); c++) {
            const auto at = static_cast<size_t> (out.offset (a - out.angles ().begin, r) + c * lanes) * size;
            std::memcpy (&bytes[at], &full[at], size); // the padding of `full` is 0
          }
  return bytes;
}

void check (const Scan &scan, bool projected, int input_lanes, int lanes, const Region &wanted,
            const std::vector<Region> &inputs)
{
  const cl::CommandQueue queue (first_device ().context (), first_device ().device);
  const Block out (format_of (scan, false), {lanes}, wanted, nullptr);
  const auto to = unwritten (queue, out.bytes ());
  interleave::OpenclLanes placer (first_device (), {&interleave::family ().kernels[0], {}},
                                  interleave::problem_of (size_of (scan.element), input_lanes, lanes));
  for (const auto &region : inputs) {
    const Block in (format_of (scan, projected), {input_lanes}, region, nullptr);
    placer.enqueue (queue, in, upload (fill (in)), out, to);
  }
  const auto is = download<std::byte> (queue, to, out.bytes ()), should = truth (out, inputs);
  g_assert_cmpmem (is.data (), is.size (), should.data (), should.size ());
}

// Programs differ in the values' size and in the lanes: those are drawn.
void test_transposes ()
{
  size_t number = 0;
  for (const auto element : {Element::u8, Element::u16, Element::f32})
    for (const int lanes : {1, 2, 4, 8, 16, 32}) {
      if (!is_drawn (number++, 7))
        continue;
      for (const int64_t columns : small ? std::vector<int64_t>{1, 37} : std::vector<int64_t>{1, 64, 250, 301, 1000})
        for (const int64_t rows : small ? std::vector<int64_t>{5} : std::vector<int64_t>{1, 2, 7, 16, 17}) {
          const Scan scan{rows, 3, columns, element};
          check (scan, true, 1, lanes, {{0, rows}, {0, 3}}, {{{0, rows}, {0, 3}}});
          check (scan, true, 1, lanes, {{0, rows}, {0, 3}}, {{{0, rows}, {0, 1}}, {{0, rows}, {1, 3}}});
        }
    }
}

void test_takes_sinograms ()
{
  size_t number = 0;
  for (const int from : {1, 2, 4, 16})
    for (const int to : {1, 4, 8, 32}) {
      if (!is_drawn (number++, 7))
        continue;
      const Scan scan{21, 2, 50, Element::f16};
      check (scan, false, from, to, {{3, 20}, {0, 2}}, {{{2, 21}, {0, 2}}});
    }
}

// Some rows of a group, or other rows besides, come in a block; one angle of some.
void test_parts ()
{
  const Scan scan{40, 4, 33, Element::f32};
  size_t number = 0;
  for (const int lanes : {1, 4, 16})
    for (const bool projected : {true, false}) {
      if (!is_drawn (number++, 5))
        continue;
      check (scan, projected, 1, lanes, {{8, 19}, {0, 4}}, {{{0, 9}, {0, 4}}, {{9, 13}, {0, 4}}, {{13, 30}, {0, 4}}});
      check (scan, projected, 1, lanes, {{8, 19}, {0, 4}}, {{{7, 12}, {0, 4}}}); // the rest never comes
      check (scan, projected, 1, lanes, {{4, 7}, {0, 4}}, {{{3, 37}, {0, 4}}});
      check (scan, projected, 1, lanes, {{0, 40}, {1, 4}}, {{{0, 40}, {2, 3}}});
    }
}

// More angles and more groups than drivers take as groups of one launch.
void test_many ()
{
  check ({3, 70001, 2, Element::u16}, true, 1, 2, {{0, 3}, {0, 70001}}, {{{0, 3}, {0, 70001}}});
  check ({70001, 2, 2, Element::u16}, true, 1, 1, {{0, 70001}, {0, 2}}, {{{0, 70001}, {0, 2}}});
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool s) {
    small = s;
    g_test_add_func ("/interleave/opencl/transposes", test_transposes);
    g_test_add_func ("/interleave/opencl/sinograms", test_takes_sinograms);
    g_test_add_func ("/interleave/opencl/parts", test_parts);
    if (!small)
      g_test_add_func ("/interleave/opencl/many", test_many);
  });
}

} // namespace sino::test::interleave_opencl_test
