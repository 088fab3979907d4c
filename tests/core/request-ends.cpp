// SPDX-License-Identifier: LGPL-3.0-or-later
// Requests that outlast the work items of their worker: what fails in the last of them fails the run, and one that does
// not return is left behind.
#include "base/requests.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tests/core/scans.hpp"
#include <thread>

namespace sino::test::request_ends_test {

namespace {

std::atomic<int> done{0}, begun{0}, alive{0};
std::atomic<bool> open_gate{false};

struct Alive {
  Alive () { alive++; }
  ~Alive () { alive--; }
  Alive (const Alive &) = delete;
  Alive &operator= (const Alive &) = delete;
};

// Does with each block what `write` does, by two threads.
struct Later final : Sink {
  static constexpr Info info{"test-later", "Take blocks by requests"};
  int fail_at = -1, parts = 1, delay = 1;
  bool hangs = false;
  static constexpr Property properties[] = {
      prop<&Later::fail_at> ("fail-at", "Fails at this request", {-1, 1000}),
      prop<&Later::parts> ("parts", "Requests for each block", {1, 10}),
      prop<&Later::delay> ("delay", "Milliseconds of half a request", {0, 1000}),
      prop<&Later::hangs> ("hangs", "Requests do not return"),
  };

  struct Work final : Worker, Alive {
    const int fail_at, parts, delay;
    const bool hangs;
    int number = 0;
    Requests::Batch all;
    Requests requests;

    Work (const Later &task, const Replica &replica)
        : fail_at (task.fail_at), parts (task.parts), delay (task.delay), hangs (task.hangs),
          requests (replica.monitor, replica.failed, replica.counters, 2, 2)
    {
    }
    void run (std::span<Input *const> inputs, Output *) override
    {
      while (const Block in = inputs[0]->pop ()) {
        for (int part = 0; part < parts; part++)
          requests.add (all, static_cast<int64_t> (in.bytes ()), [this, in, i = number++] { take (i); });
        std::this_thread::sleep_for (std::chrono::milliseconds (delay / 2)); // so that some have begun
      }
    }
    void take (int i) const
    {
      begun++;
      std::this_thread::sleep_for (std::chrono::milliseconds (delay));
      while (hangs && !open_gate)
        std::this_thread::sleep_for (std::chrono::milliseconds (1));
      if (i == fail_at)
        fail (SINO_ERROR_NO_SPACE, "no space for slice %d", i);
      std::this_thread::sleep_for (std::chrono::milliseconds (delay)); // for others to be at work when one fails
      done++;
    }
    void end () override { requests.settle (); }
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  std::unique_ptr<Worker> start (const Replica &replica) override { return std::make_unique<Work> (*this, replica); }
  void finish () override { g_assert_cmpint (begun, ==, done); }
};

SINO_REGISTER (Later)

Graph later (const std::string &properties)
{
  done = begun = 0;
  open_gate = false;
  return build ({"source test-scan angles=60 rows=128 columns=256", "keep test-later" + properties, "source -> keep"});
}

// The number of requests, of a run that goes well.
int all_of_them (const RunOptions &o)
{
  Run run (later (""), o);
  run.prepare ();
  g_assert_cmpuint (run.plan ().passes[0].items.size (), >, 1);
  run.execute ();
  g_assert_cmpint (done, >, 1);
  g_assert_cmpint (alive, ==, 0);
  return done;
}

// Blocks outlast the work items that they came in.
void whole ()
{
  for (const double room : {0.0, 5 * MiB})
    all_of_them (options (room));
}

void last_one_fails ()
{
  const auto o = options (5 * MiB);
  const auto last = all_of_them (o) - 1;
  for (const int i : {0, last / 2, last})
    same (error_of ([&] { Run (later (text (" fail-at=%d", i)), o).execute (); }),
          text ("'keep' (test-later): no space for slice %d", i).c_str ());
  g_assert_cmpint (alive, ==, 0);
}

// Requests that have not begun hold all blocks, so that the source waits for one and the worker for the source: the run
// ends all the same.
void fails_while_all_wait ()
{
  done = begun = 0;
  Run run (build ({"source test-scan angles=60 rows=16 columns=64", "keep test-later parts=3 delay=50 fail-at=0",
                   "source -> keep"}),
           options (1 * MiB));
  run.prepare ();
  g_assert_cmpint (run.plan ().passes[0].stages[0].sizes.pool, <=, 2);
  same (error_of ([&] { run.execute (); }), "'keep' (test-later): no space for slice 0");
}

template <class Ready> bool soon (Ready ready)
{
  for (int i = 0; i < 30000 && !ready (); i++)
    std::this_thread::sleep_for (std::chrono::milliseconds (1));
  return ready ();
}

// The thread of the worker waits for those of the requests, and is left behind with them.
void left_behind ()
{
  {
    Run run (later (" hangs=true"), options ());
    std::thread other ([&run] {
      g_assert_true (soon ([] { return begun > 0; }));
      run.cancel (std::chrono::milliseconds (50));
    });
    same (error_of ([&] { run.execute (); }),
          "the run was cancelled; then 'keep' (test-later) did not return within 0.05 s: its thread was abandoned");
    other.join ();
  }
  g_assert_cmpint (alive, ==, 1);
  open_gate = true;
  g_assert_true (soon ([] { return alive == 0; }));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/request-ends/whole", whole);
  g_test_add_func ("/request-ends/last-one-fails", last_one_fails);
  g_test_add_func ("/request-ends/fails-while-all-wait", fails_while_all_wait);
  g_test_add_func ("/request-ends/left-behind", left_behind);
  return g_test_run ();
}

} // namespace sino::test::request_ends_test
