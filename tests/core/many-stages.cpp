// SPDX-License-Identifier: LGPL-3.0-or-later
// Graphs of many stages, each of which has a thread.
#include "tests/core/scans.hpp"
#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

namespace sino::test::many_stages_test {

namespace {

int threads ()
{
  int number = 0;
  for ([[maybe_unused]] const auto &one : std::filesystem::directory_iterator ("/proc/self/task"))
    number++;
  return number;
}

std::vector<std::string> chain (const Shape &shape, int gains, const std::string &last)
{
  std::vector<std::string> lines{shape.text ()};
  std::string before = "source";
  for (int i = 0; i < gains; i++) {
    lines.push_back (text ("g%d test-gain factor=%d", i, i % 2 ? 1 : -1));
    lines.push_back (text ("%s -> g%d", before.c_str (), i));
    before = text ("g%d", i);
  }
  lines.push_back (last);
  lines.push_back (before + " -> keep");
  return lines;
}

// A chain of a thousand nodes.
void thousand ()
{
  const Shape shape{6, 20, 8};
#if defined(__SANITIZE_THREAD__)
  constexpr int gains = 200; // each takes much memory there
#else
  constexpr int gains = 1000;
#endif
  kept ().clear ();
  Run run (build (chain (shape, gains, "keep test-keep delay=20")), options ());
  const int before = threads ();
  int most = 0;
  std::atomic<bool> over{false};
  std::thread watcher ([&] { // a run may be over before it tells how far it is
    for (; !over; std::this_thread::sleep_for (std::chrono::milliseconds (1)))
      most = std::max (most, threads () - 1);
  });
  run.execute ();
  over = true;
  watcher.join ();
  g_assert_cmpint (most, >, before);
  g_assert_cmpint (most - before, <=, gains + 2 + 2); // those of stages and of loops
  expect ("result", shape, true, source_value);
  const auto statistics = run.statistics ();
  for (const auto &task : statistics.tasks) {
    g_assert_cmpint (task.blocks_in + task.blocks_out, >, 0);
    g_assert_cmpfloat (task.busy, <, statistics.seconds + 1); // time of one thread, waits left out
  }
}

// Joins, collectors and filters that want neighbours or whole projections, as they come.
std::vector<std::string> any_graph (std::mt19937 &random)
{
  const auto up_to = [&random] (int most) { return static_cast<int> (random () % static_cast<unsigned> (most + 1)); };
  std::vector<std::string> lines{"n0 test-scan angles=12 rows=23 columns=5"};
  std::vector<int> uses{0};
  std::vector<bool> flat{false};
  const int nodes = 4 + up_to (20);
  const auto take = [&] (bool want_flat, int but) {
    std::vector<int> found;
    for (size_t n = 0; n < uses.size (); n++)
      if (flat[n] == want_flat && static_cast<int> (n) != but)
        found.push_back (static_cast<int> (n));
    return found.empty () ? -1 : found[static_cast<size_t> (up_to (static_cast<int> (found.size ()) - 1))];
  };
  for (int n = 1; n < nodes; n++) {
    static const char *const kinds[] = {"test-gain", "test-blur", "test-level", "mean-image", "subtract", "test-two"};
    const std::string kind = kinds[up_to (5)];
    const int one = take (false, -1), two = kind == "subtract" ? take (true, -1) : take (false, one);
    const bool joins = kind == "subtract" || kind == "test-two";
    lines.push_back (text ("n%d %s", n, joins && two < 0 ? "test-gain" : kind.c_str ()));
    lines.push_back (text ("n%d -> n%d", one, n));
    uses[static_cast<size_t> (one)]++;
    if (joins && two >= 0) {
      lines.push_back (text ("n%d -> n%d.1", two, n));
      uses[static_cast<size_t> (two)]++;
    }
    uses.push_back (0);
    flat.push_back (kind == "mean-image" || (kind == "test-two" && two >= 0));
  }
  for (size_t n = 0; n < uses.size (); n++)
    if (uses[n] == 0) {
      lines.push_back (text ("k%zu test-keep key=k%zu%s", n, n, up_to (3) ? "" : " one-at-a-time=true"));
      lines.push_back (text ("n%zu -> k%zu", n, n));
    }
  return lines;
}

std::map<std::string, std::vector<std::byte>> results (const std::vector<std::string> &lines, int replicas)
{
  execute (lines, options (0, replicas));
  std::map<std::string, std::vector<std::byte>> all;
  for (const auto &[key, array] : kept ())
    all[key] = array.bytes;
  return all;
}

void any ()
{
  std::mt19937 random (3);
  for (int round = 0; round < 60; round++) {
    const auto lines = any_graph (random);
    const auto right = results (lines, 1);
    g_assert_true (results (lines, 2) == right);
  }
}

void failure ()
{
  const Shape shape{12, 20, 8};
  const int before = threads ();
  auto lines = chain (shape, 100, "keep test-keep");
  for (auto &line : lines)
    if (line.starts_with ("g50 test-gain"))
      line = "g50 test-gain fail-at=2";
  same (error_of ([&] { Run (build (lines), options ()).execute (); }), "'g50' (test-gain): broke at block 2");
  lines[0] += " fail-at=1";
  g_assert_cmpint (error_of ([&] { Run (build (lines), options ()).execute (); }).size (), >, 0);
  g_assert_cmpint (threads (), <=, before + 2); // all were joined
}

void cancel ()
{
  const Shape shape{12, 20, 8};
  Run run (build (chain (shape, 100, "keep test-keep delay=10000")), options ());
  std::thread other ([&] {
    std::this_thread::sleep_for (std::chrono::milliseconds (50));
    run.cancel ();
  });
  same (error_of ([&] { run.execute (); }), "the run was cancelled");
  other.join ();
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/many-stages/thousand", thousand);
  g_test_add_func ("/many-stages/any", any);
  g_test_add_func ("/many-stages/failure", failure);
  g_test_add_func ("/many-stages/cancel", cancel);
  return g_test_run ();
}

} // namespace sino::test::many_stages_test
