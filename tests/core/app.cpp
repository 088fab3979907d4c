// SPDX-License-Identifier: LGPL-3.0-or-later
// Frames pushed into a run and blocks pulled out of it by threads of a program, while others ask and change what they
// may.
#include "api/sinograph.h"
#include "app/block-queue.hpp"
#include "base/variant.hpp"
#include "tests/core/scans.hpp"
#include <cstring>
#include <random>
#include <thread>

namespace sino::test::app_test {

namespace {

constexpr int side = 16, frames = 300;
constexpr size_t frame_bytes = size_t{side} * side * 2;

struct Program {
  ObjectPtr<SinoGraph> graph{sino_graph_new ()};
  ObjectPtr<SinoAppSource> source{sino_app_source_new ()};
  ObjectPtr<SinoAppSink> sink{sino_app_sink_new ()};
  ObjectPtr<SinoRunner> runner{sino_runner_new ()};
  std::atomic<bool> over{false};
  std::thread run;
  std::string failure;

  explicit Program (int number)
  {
    GError *error = nullptr;
    g_object_set (source.get (), "rows", side, "columns", side, "frames", number, "max-bytes", 8.0 * frame_bytes,
                  nullptr);
    g_object_set (sink.get (), "max-bytes", 8.0 * frame_bytes, nullptr);
    g_object_set (runner.get (), "device", "native", "threads", 2, nullptr);
    sino_graph_add_task (graph.get (), SINO_TASK (source.get ()), "in", &error);
    sino_graph_add_task (graph.get (), SINO_TASK (sink.get ()), "out", &error);
    sino_graph_connect (graph.get (), "in", "out", 0, &error);
    g_assert_no_error (error);
  }

  void begin ()
  {
    run = std::thread ([this] {
      GError *error = nullptr;
      if (!sino_runner_run (runner.get (), graph.get (), nullptr, &error))
        failure = ErrorPtr (error)->message;
      over = true;
    });
  }
};

std::vector<uint16_t> frame (int number)
{
  return std::vector<uint16_t> (size_t{side} * side, static_cast<uint16_t> (number * 7));
}

std::atomic<int> released{0};

// Every third frame without a copy.
template <class AnyProgram> bool push (AnyProgram &program, int number)
{
  const auto pixels = frame (number);
  if (number % 3 > 0)
    return sino_app_source_push (program.source.get (), reinterpret_cast<const guint8 *> (pixels.data ()), frame_bytes,
                                 nullptr);
  auto *owned = new std::vector<uint16_t> (pixels);
  return sino_app_source_push_owned (
      program.source.get (), owned->data (), frame_bytes,
      [] (gpointer data) {
        released++;
        delete static_cast<std::vector<uint16_t> *> (data);
      },
      owned, nullptr);
}

// Values that came, -1 where the run failed.
template <class AnyProgram> int pull_all (AnyProgram &program)
{
  int values = 0;
  for (GError *error = nullptr;;) {
    const ObjectPtr<SinoBuffer> block (sino_app_sink_pull (program.sink.get (), &error));
    if (error) {
      g_error_free (error);
      return -1;
    }
    if (!block)
      return values;
    gsize bytes = 0;
    const auto *data = sino_buffer_get_data (block.get (), &bytes);
    for (gsize i = 0; i < bytes / 2; i++, values++) {
      uint16_t value = 0;
      std::memcpy (&value, data + 2 * i, 2);
      g_assert_cmpint (value, ==, static_cast<uint16_t> (values / (side * side) * 7));
    }
  }
}

// What a program may do at any time.
void ask_and_change (Program &program)
{
  for (int i = 0; !program.over; i++) {
    if (const VariantPtr statistics{sino_runner_get_statistics (program.runner.get ())}; statistics)
      g_assert_true (g_variant_is_of_type (statistics.get (), G_VARIANT_TYPE_VARDICT));
    g_object_set (program.source.get (), "max-bytes", (4.0 + i % 8) * frame_bytes, "max-buffers", i % 5, nullptr);
    g_object_set (program.sink.get (), "max-bytes", (4.0 + i % 8) * frame_bytes, nullptr);
    g_assert_cmpint (sino_app_source_get_current_level_bytes (program.source.get ()), >=, 0);
    g_assert_cmpint (sino_app_sink_get_held_bytes (program.sink.get ()), >=, 0);
    std::this_thread::yield ();
  }
}

void frames_through_a_run ()
{
  released = 0;
  {
    Program program (frames);
    program.begin ();
    std::thread asking ([&program] { ask_and_change (program); });
    std::thread pushing ([&program] {
      for (int i = 0; i < frames; i++)
        g_assert_true (push (program, i));
    });
    g_assert_cmpint (pull_all (program), ==, frames * side * side);
    program.run.join ();
    pushing.join ();
    asking.join ();
    same (program.failure, "");
  }
  g_assert_cmpint (released, ==, frames / 3);
}

// The same without the objects of GLib that tell a run to end, whose locks the thread sanitizer does not know.
struct PlainProgram {
  Graph graph;
  ObjectPtr<SinoAppSource> source;
  ObjectPtr<SinoAppSink> sink;
  std::optional<Run> run;
  std::thread thread;

  explicit PlainProgram (int number)
  {
    const auto in = graph.add ("app-source"), out = graph.add ("app-sink");
    graph.connect (in, out);
    source.reset (SINO_APP_SOURCE (g_object_ref (graph.nodes ()[in].task.get ())));
    sink.reset (SINO_APP_SINK (g_object_ref (graph.nodes ()[out].task.get ())));
    g_object_set (source.get (), "rows", side, "columns", side, "frames", number, "max-bytes", 8.0 * frame_bytes,
                  nullptr);
    g_object_set (sink.get (), "max-bytes", 8.0 * frame_bytes, nullptr);
    run.emplace (graph, options ());
    thread = std::thread ([this] {
      try {
        run->announce ();
        run->gather ();
        run->prepare ();
        run->execute ();
      } catch (const Cancelled &cancelled) {
        run->abandon (cancelled.message);
      } catch (const std::exception &e) {
        run->abandon (e.what ());
      }
    });
  }
};

// Whoever waits comes back, and all memory is released.
void cancelled_anywhere ()
{
  std::mt19937 random (1);
  for (int i = 0; i < 30; i++) {
    released = 0;
    int owned = 0;
    {
      PlainProgram program (i % 2 ? frames : 0); // known, or gathered
      std::thread pushing ([&program, &owned] {
        for (int number = 0; push (program, number); number++)
          owned += number % 3 == 0;
      });
      std::thread pulling ([&program] { pull_all (program); });
      std::this_thread::sleep_for (std::chrono::microseconds (random () % 20000));
      program.run->cancel ();
      program.thread.join ();
      pushing.join ();
      pulling.join ();
    }
    g_assert_cmpint (released, >=, owned); // one more where the last push failed
    g_assert_cmpint (released, <=, owned + 1);
  }
}

// The run takes spare memory for its blocks while the program drops those that it has pulled.
void memory_that_comes_back ()
{
  constexpr int blocks = 10000;
  constexpr int64_t bytes = side * 4;
  const auto queue = std::make_shared<app::BlockQueue> ();
  const auto format =
      std::make_shared<const Format> (slices (Element::f32, {Axis::z, 1}, {Axis::y, 1}, {Axis::x, side}));
  queue->attach (&format);
  const std::function<app::BlockQueue::Bounds ()> none = [] { return app::BlockQueue::Bounds{}; };
  std::thread running ([&] {
    for (int i = 0; i < blocks; i++)
      queue->push ({format, {}, {Rows (0, 1), {0, 1}}, queue->lend (bytes, nullptr)}, none);
    queue->finish (&format);
  });
  int pulled = 0;
  while (queue->pull (std::chrono::microseconds (-1)).state == app::BlockQueue::State::block)
    pulled++;
  running.join ();
  g_assert_cmpint (pulled, ==, blocks);
  g_assert_cmpint (queue->level ().held, ==, 0);
  queue->leave (&format);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/app/frames-through-a-run", frames_through_a_run);
  g_test_add_func ("/app/cancelled-anywhere", cancelled_anywhere);
  g_test_add_func ("/app/memory-that-comes-back", memory_that_comes_back);
  return g_test_run ();
}

} // namespace sino::test::app_test
