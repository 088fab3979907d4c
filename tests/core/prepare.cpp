// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs that are cancelled while they are prepared or open files, and graphs that change meanwhile.
#include "base/cancellation.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "tests/core/scans.hpp"
#include <thread>

namespace sino::test::prepare_test {

namespace {

// Where negotiation waits: what came there, and whether it may go on.
struct Gate {
  std::atomic<int> came{0};
  std::atomic<bool> open{false};
} gate;

std::atomic<int> alive{0}; // descriptions of the node below

struct Counted {
  Counted () { alive++; }
  Counted (const Counted &) { alive++; }
  Counted &operator= (const Counted &) = default;
  ~Counted () { alive--; }
};

// Waits like a call to a file system that is slow, or one that stalls.
struct Wait final : PointFilter, Counted {
  static constexpr Info info{"test-wait", "Wait in negotiation"};
  bool deaf = false, late = false;
  static constexpr Property properties[] = {prop<&Wait::deaf> ("deaf", "Does not look whether it was cancelled"),
                                            prop<&Wait::late> ("late", "Waits when workers start")};

  Format negotiate (std::span<const Format *const> inputs) override
  {
    if (!late)
      wait ();
    return *inputs[0];
  }
  std::unique_ptr<Worker> start (const Replica &) override
  {
    if (late)
      wait ();
    fail (SINO_ERROR_FAILED, "was started");
  }

private:
  void wait () const
  {
    for (gate.came++; !gate.open; std::this_thread::sleep_for (std::chrono::milliseconds (1)))
      if (!deaf)
        check_cancelled ();
  }
};

SINO_REGISTER (Wait)

// Whether it came true; the time is for what has failed.
template <class Ready> bool soon (Ready ready)
{
  for (int i = 0; i < 30000 && !ready (); i++)
    std::this_thread::sleep_for (std::chrono::milliseconds (1));
  return ready ();
}

Graph waiting (const std::string &properties = "")
{
  gate.came = 0;
  gate.open = false;
  return build ({"source test-scan", "wait test-wait" + properties, "after test-wait" + properties, "keep test-keep",
                 "source -> wait", "wait -> after", "after -> keep"});
}

// The error of a run that is cancelled once negotiation waits.
std::string cancelled (Run &run, std::chrono::milliseconds patience, const std::function<void (Run &)> &wait)
{
  std::thread other ([&] {
    g_assert_true (soon ([] { return gate.came == 1; }));
    run.cancel (patience);
  });
  auto message = error_of ([&] { wait (run); });
  other.join ();
  return message;
}

void nothing_is_asked_before ()
{
  const auto graph = waiting ();
  int asked = 0;
  Run run (graph, [&asked] {
    asked++;
    return options ();
  });
  g_assert_cmpint (gate.came, ==, 0);
  g_assert_cmpint (asked, ==, 0);
  run.cancel ();
  same (error_of ([&] { run.prepare (); }), "the run was cancelled");
  g_assert_cmpint (gate.came, ==, 0);
  g_assert_cmpint (asked, ==, 0);
}

// In the middle of a node, by execute () too, which also starts workers.
void cancel ()
{
  Run run (waiting (), options ());
  same (cancelled (run, std::chrono::minutes (1), [] (Run &r) { r.prepare (); }), "the run was cancelled");
  for (const char *when : {"", " late=true"}) {
    Run whole (waiting (when), options ());
    same (cancelled (whole, std::chrono::minutes (1), [] (Run &r) { r.execute (); }), "the run was cancelled");
  }
}

// Nobody cancels it: the watchdog does, in negotiation and where workers start.
void watchdog ()
{
  for (const char *when : {"", " late=true"}) {
    auto watched = options ();
    watched.watchdog = 0.5;
    Run run (waiting (when), watched);
    const auto message = error_of ([&] { run.execute (); });
    g_assert_true (message.starts_with ("there was no progress for 0.") ||
                   message.starts_with ("there was no progress for 1"));
    g_assert_true (message.ends_with (" s in the preparation of 'wait' (test-wait); if it may take so long, give the "
                                      "watchdog more time, or 0 for no limit"));
  }
}

// A node that returns all the same: the next one is not asked.
void cancel_between_nodes ()
{
  const auto graph = waiting (" deaf=true");
  Run run (graph, options ());
  std::thread opens ([&run] {
    g_assert_true (soon ([] { return gate.came == 1; }));
    run.cancel (std::chrono::minutes (1));
    gate.open = true;
  });
  same (error_of ([&] { run.prepare (); }), "the run was cancelled");
  opens.join ();
  g_assert_cmpint (gate.came, ==, 1);
}

// A call that never returns: its thread keeps what it works on, when all others have dropped it.
void left_behind ()
{
  const int before = alive;
  for (const char *when : {"", " late=true"}) {
    {
      Run run (waiting (std::string (" deaf=true") + when), options ());
      same (cancelled (run, std::chrono::milliseconds (50), [] (Run &r) { r.execute (); }),
            "the run was cancelled; then 'wait' (test-wait) did not return within 0.05 s: its thread was abandoned");
    }
    g_assert_cmpint (alive, >, before);
    gate.open = true;
    g_assert_true (soon ([before] { return alive == before; }));
    g_assert_cmpint (gate.came, ==, 1);
  }
}

// The same for a driver that does not answer.
void stuck_options ()
{
  gate.came = 0;
  gate.open = false;
  const auto gone = std::make_shared<std::atomic<bool>> ();
  {
    Run run (build ({"source test-scan", "keep test-keep", "source -> keep"}), [gone] {
      gate.came++;
      g_assert_true (soon ([] { return gate.open.load (); }));
      *gone = true;
      return options ();
    });
    same (cancelled (run, std::chrono::milliseconds (50), [] (Run &r) { r.prepare (); }),
          "the run was cancelled; then the search for devices did not return within 0.05 s: its thread was abandoned");
  }
  gate.open = true;
  g_assert_true (soon ([&gone] { return gone->load () && gone.use_count () == 1; }));
}

// What is changed between the beginning of a run and its negotiation does not reach it.
void frozen ()
{
  const Shape shape{6, 10, 8};
  auto graph = build ({shape.text (), "gain test-gain factor=3", "keep test-keep", "source -> gain", "gain -> keep"});
  kept ().clear ();
  Run run (graph, options ());
  set_text (G_OBJECT (graph.nodes ()[1].task.get ()), "factor", "5");
  set_text (G_OBJECT (graph.nodes ()[0].task.get ()), "rows", "7");
  graph.add ("test-scan"); // whose output goes nowhere
  run.execute ();
  expect ("result", shape, true, [] (auto a, auto r, auto c) { return 3 * source_value (a, r, c); });
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/prepare/nothing-is-asked-before", nothing_is_asked_before);
  g_test_add_func ("/prepare/cancel", cancel);
  g_test_add_func ("/prepare/watchdog", watchdog);
  g_test_add_func ("/prepare/cancel-between-nodes", cancel_between_nodes);
  g_test_add_func ("/prepare/left-behind", left_behind);
  g_test_add_func ("/prepare/stuck-options", stuck_options);
  g_test_add_func ("/prepare/frozen", frozen);
  return g_test_run ();
}

} // namespace sino::test::prepare_test
