// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs that fail, are cancelled, or have to wait.
#include "device/work.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tests/core/scans.hpp"
#include <thread>

namespace sino::test::ends_test {

namespace {

// Hands blocks on before it knows that they cannot be filled.
struct Loops final : PointFilter {
  static constexpr Info info{"test-loops", "Fail in a loop under way"};
  static constexpr std::array<Property, 0> properties{};

  struct Work final : Worker {
    Underway underway;
    explicit Work (const Replica &replica) : underway (replica.cpu, replica.monitor, replica.failed, 4) {}
    void run (std::span<Input *const> inputs, Output *output) override
    {
      while (const Block in = inputs[0]->pop ()) {
        Block out = output->next ();
        const auto broken = [] (int64_t, int64_t) {
          std::this_thread::sleep_for (std::chrono::milliseconds (20));
          fail (SINO_ERROR_FAILED, "broke in a loop");
        };
        underway.start ({{1, 1, broken}}, std::span (&out, 1));
        output->push (std::move (out));
      }
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  std::unique_ptr<Worker> start (const Replica &replica) override { return std::make_unique<Work> (replica); }
};

// Takes two streams of sinograms with the same lanes, on which nothing depends.
struct Meet final : Task {
  static constexpr Info info{"test-meet", "Take two streams in lanes"};
  static constexpr Port ports[] = {{"first"}, {"second"}};
  std::span<const Port> inputs () const override { return ports; }

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int) const override { return 8; }
  int fewest_lanes (const Device &, int) const override { return 1; }
  std::unique_ptr<Worker> start (const Replica &) override { fail (SINO_ERROR_FAILED, "was started"); }
};

SINO_REGISTER (Loops)
SINO_REGISTER (Meet)

void too_little_memory ()
{
  const auto message = error_of ([] {
    execute ({Shape{1000, 100, 1000}.text (), "regroup interleave", "fold test-fold", "keep test-keep",
              "source -> regroup", "regroup -> fold", "fold -> keep"},
             options (1 * MiB));
  });
  g_assert_true (message.starts_with ("the smallest work item needs "));
  g_assert_true (message.find ("more than the memory limit of") != std::string::npos);
}

// Fewer lanes do not help where one stream has a number of its own.
void too_little_memory_for_streams_that_meet ()
{
  const auto message = error_of ([] {
    execute ({Shape{1000, 100, 1000}.text (), "as-given interleave lanes=8", "as-wanted interleave", "meet test-meet",
              "keep test-keep", "source -> as-given", "source -> as-wanted", "as-given -> meet", "as-wanted -> meet.1",
              "meet -> keep"},
             options (1 * MiB));
  });
  if (!message.starts_with ("the smallest work item needs "))
    g_error ("%s", message.c_str ());
}

// The error has the name of the node whose loop it was, not of the one that waits for its block.
void a_loop_under_way_fails ()
{
  same (error_of ([] {
          execute ({"source test-scan", "loops test-loops", "keep test-keep", "source -> loops", "loops -> keep"},
                   options ());
        }),
        "'loops' (test-loops): broke in a loop");
}

void failures ()
{
  const Shape shape{64, 96, 128};
  const auto run = [&] (const char *source, const char *gain) {
    return error_of ([&] {
      execute ({shape.text () + source, std::string ("gain test-gain") + gain, "regroup interleave", "fold test-fold",
                "keep test-keep", "source -> gain", "gain -> regroup", "regroup -> fold", "fold -> keep"},
               options (0, 2));
    });
  };
  same (run ("", " fail-at=1"), "'gain' (test-gain): broke at block 1");
  same (run (" fail-at=63", ""), "'source' (test-scan): projection 63 cannot be read");
  same (run ("", ""), "no error");
  const auto wrong = error_of ([&] {
    execute ({shape.text (), "fold test-fold", "keep test-keep", "source -> fold", "fold -> keep"}, options ());
  });
  same (wrong, "'fold' (test-fold), fed by 'source': wants sinograms, got f32 projections (angle 64, row 96, column "
               "128): put 'interleave' before it");
}

// One of several devices fails: the others, and those that wait for work to be left for them, end, too.
void one_device_fails ()
{
  const Shape shape{4, 96, 64};
  same (error_of ([&] {
          execute ({shape.text (), "regroup interleave", "slow test-slow delay=30 others=30 fails=true device=other",
                    "fold test-fold", "keep test-keep", "source -> regroup", "regroup -> slow", "slow -> fold",
                    "fold -> keep"},
                   options_on ({native_device (), std::make_shared<OtherDevice> ("other")}));
        }),
        "'slow' (test-slow): it is broken");
}

// Cancels from another thread, in the middle of a slow run; every wait must end.
void cancel ()
{
  Run run (build ({Shape{64, 96, 128}.text (), "gain test-gain delay=10000", "keep test-keep", "source -> gain",
                   "gain -> keep"}),
           options_on ({native_device (), std::make_shared<OtherDevice> ("other")}));
  std::thread other ([&run] {
    std::this_thread::sleep_for (std::chrono::milliseconds (100));
    run.cancel ();
  });
  const auto begin = std::chrono::steady_clock::now ();
  same (error_of ([&] { run.execute (); }), "the run was cancelled");
  other.join ();
  g_assert_true (std::chrono::steady_clock::now () - begin < std::chrono::seconds (8));
}

// A slow consumer holds back its producers: what is in flight stays within the pools.
void slow_consumer ()
{
  Run run (build ({Shape{2000, 16, 64}.text (), "keep test-keep delay=2", "source -> keep"}), options (1 * MiB));
  run.execute ([&run] (const Progress &) {
    const auto s = run.statistics ();
    const int64_t ahead = s.tasks[0].blocks_out - s.tasks[1].blocks_in;
    g_assert_cmpint (ahead, <=, run.plan ().passes[0].stages[0].sizes.pool);
  });
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/ends/too-little-memory", too_little_memory);
  g_test_add_func ("/ends/too-little-memory-for-streams-that-meet", too_little_memory_for_streams_that_meet);
  g_test_add_func ("/ends/failures", failures);
  g_test_add_func ("/ends/a-loop-under-way-fails", a_loop_under_way_fails);
  g_test_add_func ("/ends/one-device-fails", one_device_fails);
  g_test_add_func ("/ends/cancel", cancel);
  g_test_add_func ("/ends/slow-consumer", slow_consumer);
  return g_test_run ();
}

} // namespace sino::test::ends_test
