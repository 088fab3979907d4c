// SPDX-License-Identifier: LGPL-3.0-or-later
// Sizes of work items, blocks and pools by the time that is expected: what they save, what they never cost.
#include "plan/rates.hpp"
#include "tests/core/scans.hpp"

namespace sino::test::pace_test {

namespace {

// So narrow that each row of a projection is a piece of 32 bytes: reading is what takes the time.
const Shape narrow{20000, 64, 8};

std::vector<std::string> folded (const Shape &shape, const std::string &properties)
{
  return {
      shape.text () + properties, "regroup interleave", "fold test-fold lanes=4", "keep test-keep", "source -> regroup",
      "regroup -> fold",          "fold -> keep"};
}

void expect_folded (const Shape &shape)
{
  expect ("result", shape, false, [&] (auto, auto r, auto c) { return fold (shape, r, c, source_value); });
}

// Pieces are as large as they can be, as all rows of a projection are one. The same values, and those with little
// memory, where sizes are the least that work.
void pieces ()
{
  execute (folded (narrow, " stored=true"), options (), [] (const Plan &plan) {
    const auto &pass = plan.passes.at (0);
    g_assert_cmpint (pass.plain.rows, <, narrow.rows);
    g_assert_cmpint (pass.sizes.item_rows, ==, narrow.rows);
    g_assert_cmpfloat (pass.expected.seconds, <, pass.plain.seconds / 2);
    g_assert_cmpfloat (plan.peak, <=, plan.limit);
  });
  expect_folded (narrow);
  execute (folded (narrow, " stored=true"), options (16 * MiB), [] (const Plan &plan) {
    const auto &pass = plan.passes.at (0);
    g_assert_cmpint (pass.sizes.item_rows, <=, 16);
    g_assert_cmpfloat (plan.peak, <=, plan.limit);
  });
  expect_folded (narrow);
}

// What takes longest is what the stage by itself would take: each row of a work item in pieces of its own.
void busiest ()
{
  const Shape shape{20000, 64, 64};
  execute (folded (shape, " stored=true"), options (200 * MiB), [&] (const Plan &plan) {
    const auto &pass = plan.passes.at (0);
    const auto items = static_cast<double> (pass.items.size ());
    g_assert_cmpint (pass.sizes.item_rows, <, shape.rows);
    const auto &source = pass.stages.at (0);
    const double bytes = 4.0 * static_cast<double> (shape.angles * shape.rows * shape.columns);
    const double alone = static_cast<double> (shape.angles) * items * (Rates::piece_work + Rates::piece_wait) +
                         bytes / Rates::read_one + static_cast<double> (source.sizes.blocks) * items * Rates::block +
                         items * Rates::item;
    g_assert_cmpfloat_with_epsilon (pass.expected.busy, alone, 1e-9 * alone);
    g_assert_cmpint (pass.expected.busiest, ==, 0);
    g_assert_cmpfloat (pass.expected.ends, >, 0);
    const auto &time = pass.expected;
    g_assert_cmpfloat_with_epsilon (time.seconds, time.busy + time.ends + time.fresh, 1e-9 * alone);
  });
}

// Nothing is read from storage, so work items of another size would save nothing.
void computed ()
{
  execute (folded (narrow, ""), options (), [] (const Plan &plan) {
    const auto &pass = plan.passes.at (0);
    g_assert_cmpint (pass.sizes.item_rows, ==, pass.plain.rows);
    g_assert_cmpint (static_cast<int> (pass.items.size ()), ==, 4);
    g_assert_cmpfloat (pass.expected.seconds, ==, pass.plain.seconds);
  });
  expect_folded (narrow);
}

// A source that reads several blocks at a time gets them where it is what takes longest, as many as there is memory
// for.
void requests ()
{
  const auto pool = [] (double room, int number) {
    int64_t blocks = 0;
    execute (folded (narrow, text (" stored=true in-flight=%d", number)), options (room), [&] (const Plan &plan) {
      const auto &source = plan.passes.at (0).stages.at (0);
      g_assert_cmpint (source.sizes.requests, <=, number);
      g_assert_cmpfloat (plan.peak, <=, plan.limit);
      blocks = source.sizes.pool;
    });
    expect_folded (narrow);
    return blocks;
  };
  const auto one = pool (40 * MiB, 1);
  g_assert_cmpint (pool (40 * MiB, 8), >, one);
  pool (8 * MiB, 8);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/pace/pieces", pieces);
  g_test_add_func ("/pace/busiest", busiest);
  g_test_add_func ("/pace/computed", computed);
  g_test_add_func ("/pace/requests", requests);
  return g_test_run ();
}

} // namespace sino::test::pace_test
