// SPDX-License-Identifier: LGPL-3.0-or-later
// Negotiation, plan and scheduler: whatever the shape of the graph and the limit, the right values.
#include "tests/core/scans.hpp"
#include "tests/support/draw.hpp"

namespace sino::test::run_test {

namespace {

void chain ()
{
  const Shape shape{30, 50, 64};
  execute ({shape.text (), "gain test-gain factor=3", "keep test-keep", "source -> gain", "gain -> keep"}, options ());
  expect ("result", shape, true, [] (auto a, auto r, auto c) { return 3 * source_value (a, r, c); });
}

// Odd extents, several lanes, replicas and limits: always the same slices.
void slabs ()
{
  const Shape shape{37, 53, 129};
  for (const int lanes : {1, 4, 16})
    for (const int replicas : {1, 3})
      for (const double room : {0.0, 5 * MiB}) {
        execute ({shape.text (), "gain test-gain factor=-1", "regroup interleave",
                  text ("fold test-fold lanes=%d", lanes), "keep test-keep", "source -> gain", "gain -> regroup",
                  "regroup -> fold", "fold -> keep"},
                 options (room, replicas), [&] (const Plan &plan) {
                   g_assert_cmpuint (plan.passes.size (), ==, 1);
                   g_assert_cmpuint (plan.passes[0].items.size (), >, 1);
                   g_assert_cmpfloat (plan.peak, <=, plan.limit);
                 });
        expect ("result", shape, false, [&] (auto, auto r, auto c) {
          return fold (shape, r, c, [] (auto a, auto row, auto col) { return -source_value (a, row, col); });
        });
      }
}

// A sink that knows nothing of lanes, alone and beside a task that wants them: it never sees them, and the memory that
// this takes is planned.
void lanes_are_taken_apart ()
{
  const Shape shape{37, 53, 129};
  const auto counts = [] (const Plan &plan) {
    const auto &stages = plan.passes[0].stages;
    g_assert_true (std::any_of (stages.begin (), stages.end (), [] (const Stage &stage) {
      return std::count (stage.sizes.copied.begin (), stage.sizes.copied.end (), true) > 0;
    }));
    g_assert_cmpfloat (plan.peak, <=, plan.limit);
  };
  const auto in_rows = [] (auto r, auto a, auto c) { return source_value (a, r, c); }; // values of sinograms
  for (const int replicas : {1, 3})
    for (const double room : {0.0, 5 * MiB}) {
      execute ({shape.text (), "regroup interleave lanes=4", "keep test-keep", "source -> regroup", "regroup -> keep"},
               options (room, replicas), counts);
      expect ("result", {shape.rows, shape.angles, shape.columns}, true, in_rows);
      execute ({shape.text (), "regroup interleave", "keep test-keep key=sinograms", "fold test-fold lanes=16",
                "slices test-keep", "source -> regroup", "regroup -> keep", "regroup -> fold", "fold -> slices"},
               options (room, replicas), counts);
      expect ("sinograms", {shape.rows, shape.angles, shape.columns}, true, in_rows);
      expect ("result", shape, false, [&] (auto, auto r, auto c) { return fold (shape, r, c, source_value); });
    }
}

// Each kind of device has its own lanes and blocks; the slices are the same whichever made them, and the first settles
// nothing for the others.
void unlike_devices ()
{
  const Shape shape{37, 53, 129};
  const std::shared_ptr<const Device> native = native_device (), one = std::make_shared<OtherDevice> ("other-1"),
                                      two = std::make_shared<OtherDevice> ("other-2");
  const auto lanes = [] (const Pass &pass) { return pass.stages[2].layout.lanes; };
  for (const bool native_first : {true, false})
    for (const char *sink : {"", " one-at-a-time=true"})
      for (const double room : {0.0, 7 * MiB}) {
        const auto devices = native_first ? std::vector{native, one, two} : std::vector{one, native, two};
        execute ({shape.text (), "gain test-gain factor=-1", "regroup interleave",
                  "fold test-fold lanes=16 other-lanes=4", std::string ("keep test-keep") + sink, "source -> gain",
                  "gain -> regroup", "regroup -> fold", "fold -> keep"},
                 options_on (devices, room), [&] (const Plan &plan) {
                   const auto &pass = plan.passes[0];
                   g_assert_cmpuint (pass.items.size (), >, 1);
                   g_assert_cmpuint (pass.beside.size (), ==, 1);
                   g_assert_cmpuint (pass.devices->size () + pass.beside[0].devices->size (), ==, 3);
                   g_assert_cmpint (lanes (pass.on (*native)), ==, 16);
                   g_assert_cmpint (lanes (pass.on (*two)), ==, 4);
                   g_assert_cmpint (pass.cut_step, ==, 16);
                   g_assert_cmpfloat (plan.peak, <=, plan.limit);
                 });
        expect ("result", shape, false, [&] (auto, auto r, auto c) {
          return fold (shape, r, c, [] (auto a, auto row, auto col) { return -source_value (a, row, col); });
        });
      }
}

// A device that is slow has few of the work items, and none of the last ones.
void unequal_devices ()
{
  const Shape shape{4, 96, 64};
  kept ().clear ();
  Run run (
      build ({shape.text (), "regroup interleave lanes=1", "gain test-slow delay=60 device=slow",
              "fold test-fold lanes=1 other-lanes=1", "keep test-keep", "source -> regroup", "regroup -> gain",
              "gain -> fold", "fold -> keep"}),
      options_on ({std::make_shared<OtherDevice> ("slow"), native_device (), std::make_shared<OtherDevice> ("fast")}));
  run.execute ();
  expect ("result", shape, false, [&] (auto, auto r, auto c) { return fold (shape, r, c, source_value); });
  const auto devices = run.statistics ().devices;
  const auto all = std::ssize (run.plan ().passes[0].items);
  g_assert_cmpint (all, >=, 12); // some for each device
  g_assert_cmpint (devices[0].items + devices[1].items + devices[2].items, ==, all);
  g_assert_cmpint (devices[0].rows + devices[1].rows + devices[2].rows, ==, shape.rows);
  g_assert_cmpint (devices[0].items, <=, 3);
}

// A serial task takes the work items of three replicas one after the other.
void serial ()
{
  const Shape shape{5, 64, 16};
  execute ({shape.text (), "regroup interleave", "fold test-fold", "keep test-keep one-at-a-time=true delay=1",
            "source -> regroup", "regroup -> fold", "fold -> keep"},
           options (0, 3));
  expect ("result", shape, false, [&] (auto, auto r, auto c) { return fold (shape, r, c, source_value); });
}

// Whole projections after rows: with little memory the levelled stream is kept between two passes.
void whole_projections ()
{
  const Shape shape{64, 96, 128}; // 3 MiB
  const std::vector<std::string> lines{shape.text (),      "gain test-gain",  "level test-level", "regroup interleave",
                                       "fold test-fold",   "keep test-keep",  "source -> gain",   "gain -> level",
                                       "level -> regroup", "regroup -> fold", "fold -> keep"};
  size_t passes = 0;
  for (const double room : {0.0, 4 * MiB, 1.5 * MiB}) {
    execute (lines, options (room), [&] (const Plan &plan) {
      passes = std::max (passes, plan.passes.size ());
      g_assert_cmpfloat (plan.peak, <=, plan.limit);
    });
    expect ("result", shape, false, [&] (auto, auto r, auto c) {
      return fold (shape, r, c, [&] (auto a, auto row, auto col) { return level (shape, a, row, col, 2); });
    });
  }
  g_assert_cmpuint (passes, ==, 2);
}

// The mean over all projections, joined again with the projections it was made of.
void join ()
{
  const Shape shape{64, 96, 128};
  const std::vector<std::string> lines{shape.text (),    "mean mean-image", "minus subtract",  "keep test-keep",
                                       "source -> mean", "source -> minus", "mean -> minus.1", "minus -> keep"};
  for (const bool pages : {false, true})
    for (const double room : {0.0, 1.5 * MiB}) {
      auto with = lines;
      if (pages)
        with[3] += " pages=true";
      execute (with, options (room));
      expect ("result", shape, true,
              [&] (auto a, auto r, auto c) { return source_value (a, r, c) - average (shape, r, c); });
    }
}

// Sources are held also where the scan is so small that a pool holds all of it anyway.
void sources_are_held (const Plan &plan)
{
  for (const auto &stage : plan.passes[0].stages)
    if (stage.producers.empty ())
      g_assert_true (stage.held);
}

// Joins that wait for each other's sources: without room for whole work items they would wait for ever.
void crossed_joins ()
{
  const Shape shape{300, 16, 64};
  auto other = shape.text ();
  other.replace (0, 6, "second");
  execute ({shape.text (), other, "mean-1 mean-image", "mean-2 mean-image", "minus-1 subtract", "minus-2 subtract",
            "keep-1 test-keep key=first", "keep-2 test-keep key=second", "source -> mean-1", "second -> mean-2",
            "source -> minus-1", "mean-2 -> minus-1.1", "second -> minus-2", "mean-1 -> minus-2.1", "minus-1 -> keep-1",
            "minus-2 -> keep-2"},
           options (2 * MiB), sources_are_held);
  for (const char *key : {"first", "second"})
    expect (key, shape, true, [&] (auto a, auto r, auto c) { return source_value (a, r, c) - average (shape, r, c); });
}

// Two ports that are drained one after the other, fed by one stream.
void collected_twice ()
{
  const Shape shape{3000, 16, 64}; // 12 MiB, a work item of 4 rows 3 MiB
  execute ({shape.text (), "sum test-two", "keep test-keep", "source -> sum", "source -> sum.1", "sum -> keep"},
           options (4.5 * MiB), sources_are_held);
  expect ("result", shape, false, [&] (auto, auto r, auto c) {
    float sum = 0;
    for (int64_t a = 0; a < shape.angles; a++)
      sum += source_value (a, r, c);
    return 2 * sum;
  });
}

// Every limit leads to a plan in which each stage has a taker, and to the same bytes.
void every_limit ()
{
  const Shape shape{40, 128, 128}; // 2.5 MiB
  const std::vector<std::string> lines{shape.text (),     "f1 test-gain",    "f2 test-gain factor=0.5",
                                       "mean mean-image", "minus subtract",  "keep test-keep pages=true",
                                       "source -> f1",    "f1 -> f2",        "f2 -> mean",
                                       "f2 -> minus",     "mean -> minus.1", "minus -> keep"};
  size_t number = 0;
  for (double room = 1 * MiB; room < 12 * MiB; room += 0.25 * MiB) {
    if (!is_drawn (number++, 5))
      continue;
    execute (lines, options (room), [] (const Plan &plan) { g_assert_cmpfloat (plan.peak, <=, plan.limit); });
    expect ("result", shape, true,
            [&] (auto a, auto r, auto c) { return source_value (a, r, c) - average (shape, r, c); });
  }
}

// A demand that grows towards lower rows only: the last work item is the largest.
void lopsided ()
{
  const Shape shape{20, 40, 32};
  execute ({shape.text (), "regroup interleave", "before test-before", "fold test-fold lanes=1", "keep test-keep",
            "source -> regroup", "regroup -> before", "before -> fold", "fold -> keep"},
           options ());
  expect ("result", shape, false, [&] (auto, auto r, auto c) {
    return fold (shape, r, c, [&] (auto a, auto row, auto col) {
      float sum = 0;
      for (auto i = std::max<int64_t> (row - 5, 0); i <= row; i++)
        sum += source_value (a, i, col);
      return sum;
    });
  });
}

// A million rows of one value: what is kept per block and per work item counts more than the values.
void many_rows ()
{
  for (const double room : {2 * MiB, 0.5 * MiB}) {
    Run run (build ({Shape{1, 1000000, 1}.text (), "regroup interleave", "keep test-keep", "source -> regroup",
                     "regroup -> keep"}),
             options (room));
    run.prepare ();
    const auto &pass = run.plan ().passes[0];
    g_assert_cmpuint (pass.items.size (), >, 1);
    g_assert_cmpuint (pass.items.size (), <=, 65536);
    g_assert_cmpfloat (static_cast<double> (pass.sizes.item_rows) * sizeof (Region), <, room);
  }
}

void different_lanes ()
{
  const auto message = error_of ([] {
    execute ({Shape{4, 8, 8}.text (), "one interleave lanes=4", "two interleave lanes=8", "sum test-join",
              "fold test-fold", "keep test-keep", "source -> one", "source -> two", "one -> sum", "two -> sum.1",
              "sum -> fold", "fold -> keep"},
             options ());
  });
  same (message, "'sum' (test-join): its inputs have 4 and 8 lanes: give their 'interleave' nodes the same lanes=");
}

void neighbours ()
{
  const Shape shape{20, 41, 32};
  execute ({shape.text (), "blur test-blur", "regroup interleave", "fold test-fold", "keep test-keep key=blurred",
            "plain interleave", "fold-plain test-fold", "keep-plain test-keep key=plain", "source -> blur",
            "blur -> regroup", "regroup -> fold", "fold -> keep", "source -> plain", "plain -> fold-plain",
            "fold-plain -> keep-plain"},
           options (), [] (const Plan &plan) { g_assert_cmpuint (plan.passes[0].items.size (), >, 1); });
  expect ("plain", shape, false, [&] (auto, auto r, auto c) { return fold (shape, r, c, source_value); });
  expect ("blurred", shape, false, [&] (auto, auto r, auto c) {
    return fold (shape, r, c, [&] (auto a, auto row, auto col) {
      float sum = 0;
      for (auto i = std::max<int64_t> (row - 1, 0); i <= std::min (row + 1, shape.rows - 1); i++)
        sum += source_value (a, i, col);
      return sum;
    });
  });
}

// A sink of slices beside a sink of projections that takes pages: two passes when memory is short.
void two_sinks ()
{
  const Shape shape{64, 96, 128};
  for (const double room : {0.0, 1.5 * MiB}) {
    execute ({shape.text (), "gain test-gain", "pages test-keep key=pages pages=true", "regroup interleave",
              "fold test-fold", "keep test-keep key=slices", "source -> gain", "gain -> pages", "gain -> regroup",
              "regroup -> fold", "fold -> keep"},
             options (room));
    expect ("pages", shape, true, [] (auto a, auto r, auto c) { return 2 * source_value (a, r, c); });
    expect ("slices", shape, false, [&] (auto, auto r, auto c) {
      return fold (shape, r, c, [] (auto a, auto row, auto col) { return 2 * source_value (a, row, col); });
    });
  }
}

int64_t values_read (const std::vector<std::string> &lines, const RunOptions &o)
{
  kept ().clear ();
  Run run (build (lines), o);
  run.execute ();
  return run.statistics ().tasks[0].counters.at ("values");
}

// A source that can be read once, and one whose slabs cost as much as the whole: both are read exactly once.
void read_once ()
{
  const Shape shape{64, 96, 128};
  for (const char *kind : {" once=true", " whole-chunks=true"})
    for (const double room : {0.0, 1.5 * MiB}) {
      const auto read = values_read ({shape.text () + kind, "regroup interleave", "fold test-fold", "keep test-keep",
                                      "source -> regroup", "regroup -> fold", "fold -> keep"},
                                     options (room));
      g_assert_cmpint (read, ==, shape.angles * shape.rows * shape.columns);
      expect ("result", shape, false, [&] (auto, auto r, auto c) { return fold (shape, r, c, source_value); });
    }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/run/chain", chain);
  g_test_add_func ("/run/slabs", slabs);
  g_test_add_func ("/run/lanes-are-taken-apart", lanes_are_taken_apart);
  g_test_add_func ("/run/unlike-devices", unlike_devices);
  g_test_add_func ("/run/unequal-devices", unequal_devices);
  g_test_add_func ("/run/serial", serial);
  g_test_add_func ("/run/whole-projections", whole_projections);
  g_test_add_func ("/run/join", join);
  g_test_add_func ("/run/crossed-joins", crossed_joins);
  g_test_add_func ("/run/collected-twice", collected_twice);
  g_test_add_func ("/run/every-limit", every_limit);
  g_test_add_func ("/run/lopsided", lopsided);
  g_test_add_func ("/run/many-rows", many_rows);
  g_test_add_func ("/run/different-lanes", different_lanes);
  g_test_add_func ("/run/neighbours", neighbours);
  g_test_add_func ("/run/two-sinks", two_sinks);
  g_test_add_func ("/run/read-once", read_once);
  return g_test_run ();
}

} // namespace sino::test::run_test
