// SPDX-License-Identifier: LGPL-3.0-or-later
// A task that must see projections as soon as they come does so whatever the graph, the limit and the devices; 4 s.
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/watches.hpp"
#include "tests/core/scans.hpp"
#include <atomic>
#include <thread>

namespace sino::test::immediate_test {

namespace {

std::atomic<int64_t> given = 0, most_ahead = 0, seen = 0;

// A source that notes how far it is.
struct TestCamera final : Source {
  static constexpr Info info{"test-camera", "Projections that are counted"};
  int angles = 60, rows = 64, columns = 64, in_flight = 1;
  bool once = false, whole_chunks = false;
  static constexpr Property properties[] = {
      prop<&TestCamera::angles> ("angles", "Number of projections", {1, 1e6}),
      prop<&TestCamera::rows> ("rows", "Rows of a projection", {1, 1e6}),
      prop<&TestCamera::columns> ("columns", "Columns of a projection", {1, 1e6}),
      prop<&TestCamera::in_flight> ("in-flight", "Requests at a time", {1, 64}),
      prop<&TestCamera::once> ("once", "Can be read once only"),
      prop<&TestCamera::whole_chunks> ("whole-chunks", "Some rows cost as much as all"),
  };

  struct Work final : SourceWorker {
    void fill (Block &out) override
    {
      given = out.angles ().end;
      auto *values = out.as<float> ();
      for (auto angle = out.angles ().begin; angle < out.angles ().end; angle++)
        for (int64_t r = 0; r < out.rows ().size (); r++)
          for (int64_t column = 0; column < out.line (); column++)
            *values++ = source_value (angle, out.rows ().at (r), column);
    }
  };

  Format negotiate (std::span<const Format *const>) override
  {
    return projections (Element::f32, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, columns});
  }
  Access access () const override { return once ? Access::once : Access::random; }
  int requests (int) const override { return in_flight; }
  double bytes_read (const Format &output, const Rows &wanted) const override
  {
    return whole_chunks ? output.bytes () : Source::bytes_read (output, wanted);
  }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

// A slow sink that notes how far the source is when it sees a projection.
struct TestTap final : Sink, Watches {
  static constexpr Info info{"test-tap", "See projections as soon as they come"};

  struct Work final : SinkWorker {
    void take (const Block &in) override
    {
      g_assert_cmpint (in.rows ().size (), ==, in.format ().rows ());
      g_assert_cmpint (in.angles ().begin, ==, seen);
      g_assert_cmpint (in.angles ().size (), ==, 1); // it has not waited for others
      std::this_thread::sleep_for (std::chrono::milliseconds (1));
      most_ahead = std::max<int64_t> (most_ahead, given - in.angles ().begin);
      seen = in.angles ().end;
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  bool immediate () const override { return true; }
  bool serial () const override { return true; }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

SINO_REGISTER (TestCamera)
SINO_REGISTER (TestTap)

const Shape shape{60, 64, 64};

// Whether the plan accepts the limit.
bool sees_at_once (const std::string &source, const RunOptions &o, bool folds)
{
  given = most_ahead = seen = 0;
  kept ().clear ();
  std::vector<std::string> lines{"source test-camera" + source, "gain test-gain", "tap test-tap", "source -> gain",
                                 "gain -> tap"};
  if (folds)
    for (const char *line : {"regroup interleave", "fold test-fold lanes=4", "keep test-keep", "gain -> regroup",
                             "regroup -> fold", "fold -> keep"})
      lines.emplace_back (line);
  Run run (build (lines), o);
  try {
    run.prepare ();
  } catch (const Error &e) {
    g_assert_cmpint (e.code, ==, SINO_ERROR_MEMORY);
    return false;
  }
  run.execute ();
  g_assert_cmpint (seen, ==, shape.angles);
  if (most_ahead > 16)
    g_error ("%s: the source was %d projections ahead\n%s", source.c_str (), static_cast<int> (most_ahead),
             run.describe ().c_str ());
  if (folds)
    expect ("result", shape, false, [&] (auto, auto r, auto c) {
      return fold (shape, r, c, [] (auto a, auto row, auto col) { return 2 * source_value (a, row, col); });
    });
  return true;
}

void at_any_limit ()
{
  int accepted = 0, refused = 0;
  for (const char *source : {"", " once=true", " whole-chunks=true", " in-flight=16"})
    for (const double room : {0.0, 8 * MiB, 3 * MiB, 1.5 * MiB, 0.8 * MiB, 0.4 * MiB, 0.1 * MiB})
      for (const bool folds : {true, false})
        (sees_at_once (source, options (room), folds) ? accepted : refused)++;
  g_test_message ("%d accepted, %d refused", accepted, refused);
  g_assert_cmpint (accepted, >, 30);
  g_assert_cmpint (refused, >, 0);
}

void on_several_devices ()
{
  const auto other = std::make_shared<OtherDevice> ("other");
  for (const double room : {0.0, 8 * MiB}) {
    g_assert_true (sees_at_once ("", options (room, 3), true));
    g_assert_true (sees_at_once ("", options_on ({native_device (), other}, room), true));
    g_assert_true (sees_at_once ("", options_on ({other, native_device ()}, room), true));
  }
  auto many = options ();
  many.threads = 8;
  g_assert_true (sees_at_once (" in-flight=8", many, true));
}

// Nodes that hold projections back cannot be before it, whether they collect them or wait for another input.
void wrong ()
{
  const auto refusal = [] (const std::vector<std::string> &more) {
    std::vector<std::string> lines{"source test-camera", "tap test-tap"};
    lines.insert (lines.end (), more.begin (), more.end ());
    return error_of ([&] { Run (build (lines), options ()).prepare (); });
  };
  same (
      refusal ({"regroup interleave", "source -> regroup", "regroup -> tap"}),
      "'tap' (test-tap): must see each projection as soon as it comes, but 'regroup' (interleave) before it holds them "
      "back: put tap before that node");
  same (
      refusal (
          {"mean mean-image", "less subtract", "source -> less", "source -> mean", "mean -> less.1", "less -> tap"}),
      "'tap' (test-tap): must see each projection as soon as it comes, but 'source' (test-camera) before it holds them "
      "back: put tap before that node");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/immediate/at-any-limit", at_any_limit);
  g_test_add_func ("/immediate/on-several-devices", on_several_devices);
  g_test_add_func ("/immediate/wrong", wrong);
  return g_test_run ();
}

} // namespace sino::test::immediate_test
