// SPDX-License-Identifier: LGPL-3.0-or-later
// One scan in C++: owners of sino-object-ptr.hpp in place of references that are counted by hand, and exceptions in
// place of GError. There is no main loop: a thread of its own runs the graph, and this one pulls the slices.
//
//     cc -c camera.c $(pkg-config --cflags glib-2.0)
//     c++ -std=c++20 one-scan.cpp camera.o -o one-scan $(pkg-config --cflags --libs sinograph-1.0) -lm
#include "camera.h"
#include <exception>
#include <iostream>
#include <memory>
#include <sino-object-ptr.hpp>
#include <sinograph.h>
#include <string>
#include <thread>
#include <vector>

using sino::call;
using sino::GObjectPtr;

namespace {

constexpr guint rows = 8, columns = 128, frames = 180;
using CameraPtr = std::unique_ptr<Camera, decltype (&camera_free)>;

// What both threads of a scan use.
struct Scan {
  GObjectPtr<SinoAppSource> source;
  GObjectPtr<SinoAppSink> sink;
  GObjectPtr<GCancellable> cancellable{g_cancellable_new ()};
  std::exception_ptr failure; // of the run
};

// Pushes a frame, in the camera's thread. Exceptions cannot pass through it, so the function is called as in C: when a
// push fails the run is at its end, and its own error says why.
gboolean on_frame (const guint8 *frame, gsize bytes, gint64 number, gpointer data)
{
  return sino_app_source_push_frame (static_cast<Scan *> (data)->source.get (), frame, bytes, number, 0, nullptr);
}

void take_darks_and_flats (const Camera *camera, const Scan &scan)
{
  std::vector<guint8> frame (camera_get_frame_bytes (camera));
  camera_expose (camera, CAMERA_DARK, 0, frame.data ());
  call (sino_app_source_push_darks, scan.source.get (), frame.data (), frame.size ());
  camera_expose (camera, CAMERA_FLAT, 0, frame.data ());
  call (sino_app_source_push_flats, scan.source.get (), frame.data (), frame.size ());
}

void show_slices (const Scan &scan)
{
  while (const GObjectPtr<SinoBuffer> block{call (sino_app_sink_pull, scan.sink.get ())}) {
    gsize bytes = 0;
    sino_buffer_get_data (block.get (), &bytes);
    std::cout << "slices from " << sino_buffer_get_first_row (block.get ()) << " on: " << bytes << " bytes\n";
  }
}

// Reconstructs a scan on a device; throws what goes wrong.
void reconstruct (const std::string &device)
{
  const std::string line = "app-source name=camera rows=" + std::to_string (rows) +
                           " columns=" + std::to_string (columns) + " frames=" + std::to_string (frames) +
                           " ! flat-field ! reconstruct axis=" + std::to_string (columns / 2) +
                           " ! app-sink name=slices";
  const GObjectPtr<SinoGraph> graph (call (sino_graph_new_from_launch, line.c_str ()));
  const GObjectPtr<SinoRunner> runner (sino_runner_new ());
  g_object_set (runner.get (), "device", device.c_str (), nullptr);
  Scan scan;
  // The graph keeps its tasks: what it gives is not the caller's, who takes a reference.
  scan.source =
      GObjectPtr<SinoAppSource>::shared (SINO_APP_SOURCE (call (sino_graph_get_task, graph.get (), "camera")));
  scan.sink = GObjectPtr<SinoAppSink>::shared (SINO_APP_SINK (call (sino_graph_get_task, graph.get (), "slices")));

  const CameraPtr camera (camera_new (rows, columns, frames, 0, -1), camera_free);
  take_darks_and_flats (camera.get (), scan);
  camera_start (
      camera.get (), on_frame, [] (gpointer) {}, &scan);
  std::jthread run ([&] {
    try {
      call (sino_runner_run, runner.get (), graph.get (), scan.cancellable.get ());
    } catch (...) {
      scan.failure = std::current_exception ();
    }
  });
  try {
    show_slices (scan);
  } catch (const sino::CallError &) { // the run has failed, whose own error is thrown below
    g_cancellable_cancel (scan.cancellable.get ());
  }
  run.join ();
  if (scan.failure)
    std::rethrow_exception (scan.failure);
}

} // namespace

int main (int argc, char **argv)
{
  try {
    reconstruct (argc > 1 ? argv[1] : "");
    return 0;
  } catch (const sino::CallError &error) {
    std::cerr << "one-scan: " << g_quark_to_string (error.domain ()) << " " << error.code () << ": " << error.what ()
              << "\n";
  } catch (const std::exception &error) {
    std::cerr << "one-scan: " << error.what () << "\n";
  }
  return 1;
}
