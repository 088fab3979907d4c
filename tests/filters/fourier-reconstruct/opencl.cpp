// SPDX-License-Identifier: LGPL-3.0-or-later
// Gridding on an OpenCL device: fourier-reconstruct-opencl [MODE] [PLATFORM]. MODE: few (cases, for programs take
// seconds to build; a change is tried with one at most that wants a program of its own), all, or small, for a
// simulator: without clFFT, whose kernels compute with what is not there.
//
// The truth is the sum that gridding approximates, in double. Of objects at even angles a slice is held to what
// accuracy= promises for the width of the spreading function: a relative root mean square error inside the circle of
// 1e-3, 2e-4 and 5e-5. Noise, from which a lot would lie outside the slice, of which aliases remain, errs by up to
// eight times as much.
#include "filters/fourier-reconstruct/opencl/own-transforms.hpp"
#include "tests/filters/fourier-reconstruct/on-device.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include <glib.h>
#include <limits>

namespace sino::test::fourier_reconstruct_opencl_test {

namespace {

std::string mode = "few", platform;

// Numbers go through all tests.
bool is_tried (size_t number)
{
  return mode != "few" || is_drawn (number, 32);
}

// Of what is not about the width.
int usual_width ()
{
  return mode != "few" || thorough () ? 5 : 4;
}

const OpenclDevice *find_device ()
{
  for (const auto &device : opencl_devices ())
    if (device->name.find (platform) != std::string::npos)
      return device.get ();
  return nullptr;
}

Slices reconstruct (const Setup &setup, const DeviceScan &scan)
{
  return reconstruct (*find_device (), setup, scan);
}

void check (const Setup &setup)
{
  const DeviceScan scan (setup);
  const auto truth = truth_of (setup, scan);
  const auto slices = reconstruct (setup, scan);
  for (int64_t row = 0; row < setup.rows; row++) {
    const auto error = error_of (setup, truth, row, slices[static_cast<size_t> (row)]);
    if (!(error <= promised (setup)))
      g_error ("size %d, %d projections, lanes %d, width %d: row %d errs by %.3g, not %.3g at most",
               static_cast<int> (setup.size), static_cast<int> (setup.projections), setup.lanes, setup.width,
               static_cast<int> (row), error, promised (setup));
  }
}

void test_definition ()
{
  if (mode == "small") {
    check ({.size = 7, .projections = 5, .rows = 3, .lanes = 4, .split = 100, .by_hand = true});
    check ({.size = 12, .projections = 4, .edge = true, .mask = true, .roi = {2, 1, 9, 8}, .batch = 1, .own = true});
    check ({.size = 6, .projections = 3, .rows = 2, .lanes = 2, .halves = true, .by_hand = true});
    return;
  }
  const std::vector<Setup> setups{
      {.size = 33, .projections = 60, .rows = 5, .lanes = 4, .edge = true, .mask = true},
      {.size = 64, .projections = 40, .rows = 3, .lanes = 16, .width = 6, .bare = true, .split = 300},
      {.size = 40, .projections = 7, .rows = 2, .lanes = 1, .width = 5, .roi = {5, 11, 30, 20}},
      {.size = 50, .projections = 31, .rows = 3, .lanes = 4, .mask = true, .roi = {5, 11, 30, 20}, .own = true},
      {.size = 1, .projections = 3, .rows = 1, .lanes = 2},
      {.size = 45, .projections = 30, .rows = 5, .lanes = 4, .halves = true}};
  for (size_t i = 0; i < setups.size (); i++)
    if (is_tried (i))
      check (setups[i]);
  check ({.size = 40, .projections = 23, .rows = 3, .lanes = 4, .width = usual_width ()});
}

void test_accuracy ()
{
  for (const int width : {4, 5, 6})
    if (is_tried (2 + static_cast<size_t> (width)))
      check ({.size = 64, .projections = 60, .lanes = 2, .width = width, .object = true});
}

void test_every_setting ()
{
  int i = 0;
  for (const int lanes : {1, 2, 4, 8, 16, 32})
    for (const int width : {4, 5, 6})
      for (const int64_t size : {16, 31, 50, 64}) {
        const bool cut = i % 5 == 4;
        check ({.size = size,
                .projections = 7 + 53 * (i % 4) / 3,
                .rows = std::min (lanes + 1, 33) - i % 2,
                .lanes = lanes,
                .width = width,
                .edge = i % 2 == 1,
                .mask = i % 3 == 1,
                .bare = i % 7 > 3,
                .roi = cut ? back_project::Roi{3, 5, 9, 11} : back_project::Roi{},
                .split = i % 4 == 2 ? 300 : 0,
                .batch = i % 6 == 5 ? 1 : 0});
        i++;
      }
}

// The CPU's kernels give the same but for roundings, at every accuracy, also where terms lie right on cells: of rays
// along the grid's lines, and at 60 degrees to them. The ramp amplifies roundings of rows of objects, most of which are
// low frequencies.
void test_like_native ()
{
  const auto check = [] (const Setup &setup, double most) {
    DeviceScan scan (setup);
    if (!setup.object)
      for (size_t k = 0; k < scan.rays.size (); k += 2) {
        scan.rays[k].cos = std::cos (static_cast<double> (k) * std::numbers::pi / 12);
        scan.rays[k].sin = std::sin (static_cast<double> (k) * std::numbers::pi / 12);
      }
    const auto error = difference (setup, reconstruct (setup, scan), reconstruct_natively (setup, scan));
    g_test_message ("size %d, width %d: %.2g", static_cast<int> (setup.size), setup.width, error);
    if (!(error <= most))
      g_error ("size %d, width %d: differs by %.3g from the CPU's, not %.3g at most", static_cast<int> (setup.size),
               setup.width, error, most);
  };
  constexpr double most = 1e-6, of_object = 2e-6;
  const int64_t size = mode != "few" || thorough () ? 64 : 40;
  check ({.size = size, .projections = 36, .rows = 3, .lanes = 4, .width = 4}, most); // the axis of each ray elsewhere
  if (is_tried (9))
    check ({.size = 250, .projections = 180, .rows = 2, .lanes = 4, .width = 4, .object = true}, of_object);
  if (mode == "all")
    check ({.size = 301, .projections = 120, .rows = 2, .lanes = 4, .edge = true, .object = true}, of_object);
  // Terms that lie between two halves are rounded the one way here and the other there, now and then.
  if (is_tried (10))
    check ({.size = 250, .projections = 180, .rows = 2, .lanes = 4, .halves = true, .object = true}, 1e-5);
  if (is_tried (11))
    check ({.size = 251, .projections = 90, .lanes = 4, .width = 5, .edge = true, .mask = true}, most);
  if (is_tried (12))
    check ({.size = 400, .projections = 60, .lanes = 4, .width = 6, .object = true}, of_object);
}

// Our kernels' transforms of rows against their definition in double. Single precision errs by 1e-7 and a little more
// with the length.
void test_transforms ()
{
  using namespace fourier_reconstruct;
  const auto &device = *find_device ();
  const cl::CommandQueue queue (device.context (), device.device);
  std::mt19937 random (3);
  const auto check = [&] (OwnTransforms &transforms, int64_t length, int64_t count) {
    const auto n = static_cast<size_t> (length), all = static_cast<size_t> (count) * n;
    std::vector<std::complex<float>> before, after (all);
    for (size_t i = 0; i < all; i++)
      before.emplace_back (static_cast<float> (random ()) * 0x1p-31F - 1,
                           static_cast<float> (random ()) * 0x1p-31F - 1);
    const auto bytes = all * sizeof before[0];
    const cl::Buffer lines (device.context (), CL_MEM_READ_WRITE, bytes);
    queue.enqueueWriteBuffer (lines, CL_TRUE, 0, bytes, before.data ());
    transforms.rows (queue, lines);
    queue.enqueueReadBuffer (lines, CL_TRUE, 0, bytes, after.data ());
    RelativeError error;
    const auto of = [&] (size_t line, size_t k) {
      std::complex<double> sum = 0;
      for (size_t j = 0; j < n; j++)
        sum += std::complex<double> (before[line * n + j]) *
               std::polar (1.0, -2 * std::numbers::pi * static_cast<double> (j * k % n) / static_cast<double> (n));
      const auto got = after[line * n + k];
      error.add (static_cast<double> (got.real ()), sum.real ());
      error.add (static_cast<double> (got.imag ()), sum.imag ());
    };
    for (size_t line : {size_t{0}, static_cast<size_t> (count - 1)})
      for (size_t k = 0; k < n; k += n / 64 + 1)
        of (line, k);
    g_test_message ("length %d: %.2g", static_cast<int> (length), error.value ());
    g_assert_cmpfloat (error.value (), <, 3e-7);
  };
  const auto sizes = mode == "small" ? std::vector<int64_t>{100}
                     : mode == "few" ? std::vector<int64_t>{thorough () ? 1100 : 100}
                                     : std::vector<int64_t>{7, 100, 300, 460, 700, 1100, 1280, 2048, 4096};
  for (const auto size : sizes) {
    const Setup setup{.size = size, .projections = 3};
    const DeviceScan scan (setup);
    const OpenclPlan plan (job_of (setup, scan));
    const Batches batches (plan, 2, Transforms::own);
    Bill bill;
    memory (device, plan, batches, bill);
    Allotment allotment (bill);
    OwnTransforms transforms (device, plan, batches, allotment);
    check (transforms, plan.gridding.padded, batches.rays);
  }
}

// Neither what lies beside a slice nor how the work is divided changes its bits.
void test_bits ()
{
  const Setup usual{.size = 40, .projections = 20, .rows = 5, .lanes = 4, .width = usual_width ()};
  const DeviceScan scan (usual);
  const auto expected = reconstruct (usual, scan);
  const auto same = [&] (auto change) {
    auto setup = usual;
    change (setup);
    g_assert_true (reconstruct (setup, scan) == expected);
  };
  if (is_tried (13))
    same ([] (Setup &s) { s.at_once = 2; });
  same ([] (Setup &s) { s.batch = 1; });
  if (is_tried (14))
    same ([] (Setup &s) { s.lanes = 32; });
  if (mode == "all")
    for (const int lanes : {2, 8, 16})
      for (int at_once = 2; at_once <= lanes; at_once *= 2)
        same ([&] (Setup &s) {
          s.lanes = lanes;
          s.at_once = at_once;
          s.batch = lanes / 2;
        });
  if (is_tried (15) || is_drawn (0, 3)) {
    auto halves = usual;
    halves.halves = true;
    const auto held = reconstruct (halves, scan);
    g_assert_false (held == expected);
    g_test_message ("halves: %.2g", difference (usual, held, expected));
    g_assert_cmpfloat (difference (usual, held, expected), <, 2e-4);
    halves.at_once = is_tried (15) ? 2 : 0;
    halves.batch = 3;
    g_assert_true (reconstruct (halves, scan) == held);
  }

  auto cut = usual;
  cut.roi = {7, 2, 13, 31};
  const auto part = reconstruct (cut, scan);
  for (size_t row = 0; row < 5; row++)
    for (size_t y = 0; y < 31; y++)
      for (size_t x = 0; x < 13; x++)
        g_assert_true (part[row][y * 13 + x] == expected[row][(y + 2) * 40 + x + 7]);
}

// Slices that share complex values see nothing of each other but roundings, also where the reach of terms ends at
// cells: along the grid's lines, and of the term k = 0 always.
void test_apart ()
{
  const int lanes = mode != "few" || thorough () ? 2 : 4; // as other tests have them
  const Setup setup{.size = 40, .projections = 20, .rows = 2, .lanes = lanes, .width = 4};
  DeviceScan scan (setup);
  for (size_t k = 0; k < 4; k++) {
    scan.rays[k].cos = std::array{1.0, 0.0, -1.0, 0.0}[k];
    scan.rays[k].sin = std::array{0.0, 1.0, 0.0, -1.0}[k];
  }
  const auto beside = [&] (double value) {
    std::fill (scan.values.begin () + 20 * 40, scan.values.end (), value);
    return reconstruct (setup, scan);
  };
  const auto alone = beside (0), together = beside (1);
  double largest = 0, change = 0;
  for (size_t i = 0; i < alone[0].size (); i++) {
    largest = std::max (largest, std::abs (static_cast<double> (together[1][i])));
    change = std::max (change, std::abs (static_cast<double> (together[0][i]) - static_cast<double> (alone[0][i])));
  }
  g_assert_cmpfloat (change, <, 1e-5 * largest);
}

// The slice that shares complex values with a broken one stays what it is, but for roundings; others have their bits.
void test_broken_values ()
{
  const Setup setup{.size = 40, .projections = 20, .rows = 5, .lanes = 4, .width = usual_width ()};
  const DeviceScan sound (setup);
  const auto expected = reconstruct (setup, sound);
  for (const double broken : {std::numeric_limits<double>::quiet_NaN (), std::numeric_limits<double>::infinity ()}) {
    auto scan = sound;
    scan.values[static_cast<size_t> ((2 * 20 + 7) * 40 + 11)] = broken; // row 2
    const auto slices = reconstruct (setup, scan);
    for (size_t row = 0; row < 5; row++)
      for (size_t i = 0; i < slices[row].size (); i++)
        g_assert_true (row == 2   ? std::isnan (slices[row][i])
                       : row == 3 ? std::abs (slices[row][i] - expected[row][i]) < 1e-5F
                                  : slices[row][i] == expected[row][i]);
  }
}

void test_cancelled ()
{
  const Setup setup{.size = 40, .projections = 20, .rows = 1, .lanes = 4, .width = usual_width ()};
  Monitor monitor;
  monitor.cancel ();
  g_assert_true (cancelled ([&] { reconstruct (*find_device (), setup, DeviceScan (setup), monitor); }));
}

// Every cell that a term touches has that term in the list of its tile, once; whatever is divided.
void test_tiles ()
{
  for (const int64_t size : {20, 51})
    for (const int64_t split : {0, 200}) {
      const Setup setup{.size = size, .projections = 31, .width = size == 20 ? 4 : 5};
      DeviceScan scan (setup);
      for (size_t k = 0; k < 4; k++) { // along the grid, where reaches begin at its lines
        scan.rays[k].cos = std::array{1.0, 0.0, -1.0, 0.0}[k];
        scan.rays[k].sin = std::array{0.0, 1.0, 0.0, -1.0}[k];
      }
      const auto job = job_of (setup, scan);
      const auto plan =
          split > 0 ? fourier_reconstruct::OpenclPlan (job, split) : fourier_reconstruct::OpenclPlan (job);
      const auto grid = plan.gridding.grid, half = plan.gridding.padded / 2;
      std::vector<int> found (static_cast<size_t> (grid * grid)); // terms that touch a cell, in its tile
      std::vector<int> wanted (found.size ());
      const auto touch = [&] (std::vector<int> &counts, int64_t ray, int64_t k, auto inside) {
        const auto step = fourier_reconstruct::step_of (scan.rays[static_cast<size_t> (ray)], plan.gridding);
        const auto first = [&] (int64_t fixed) {
          const auto reach =
              static_cast<double> (k) * std::ldexp (static_cast<double> (fixed), -40) - 0.5 * setup.width;
          return static_cast<int64_t> (k < 0 ? std::floor (reach) + 1 : std::ceil (reach)) + grid / 2;
        };
        for (auto x = first (step.x); x < first (step.x) + setup.width; x++)
          for (auto y = first (step.y); y < first (step.y) + setup.width; y++)
            if (inside (x, y))
              counts[static_cast<size_t> ((x + grid) % grid * grid + (y + grid) % grid)]++;
      };
      for (int64_t ray = 0; ray < setup.projections; ray++)
        for (auto k = -half; k <= half; k++)
          touch (wanted, ray, k, [] (int64_t, int64_t) { return true; });
      for (const auto &tile : plan.tiles.tiles) {
        for (int32_t n = 0; n < tile.pieces; n++) {
          const auto &piece = plan.tiles.pieces[static_cast<size_t> (tile.first_piece) + static_cast<size_t> (n)];
          for (auto k = piece.first; k < piece.first + piece.count; k++)
            touch (found, piece.ray, k, [&] (int64_t x, int64_t y) {
              const auto i = x + piece.x * grid - tile.x, j = y + piece.y * grid - tile.y;
              const auto side = int64_t{1} << tile.shift;
              return i >= 0 && i < side && j >= 0 && j < side && tile.x + i < grid && tile.y + j < grid;
            });
        }
      }
      g_assert_true (found == wanted);
    }
}

// The node agrees with that of the CPU, where gridding has the same lengths, and its bits do not depend on how the work
// is cut.
void test_node ()
{
  const NoiseScan scan (9, 23, 50);
  const auto array = to_array (scan);
  const auto run = [&array] (const char *variant, Cut cut, const std::string &parameters = "") {
    const auto task = make_task ("fourier-reconstruct", {{"accuracy", usual_width () == 5 ? "2e-4" : "1e-3"},
                                                         {"variant", variant},
                                                         {"variant-parameters", parameters}});
    return run_task (*task, {&array}, cut);
  };
  const auto *device = find_device ();
  const auto whole = run ("opencl", {.lanes = 4, .device = device}), native = run ("native", {});
  RelativeError error;
  for (size_t i = 0; i < whole.bytes.size () / sizeof (float); i++)
    error.add (static_cast<double> (whole.as<float> ()[i]), static_cast<double> (native.as<float> ()[i]));
  g_assert_cmpfloat (error.value (), <, 1e-6);
  for (const int64_t rows : {1, 3, 4, 5})
    g_assert_true (run ("opencl", {.rows = rows, .lanes = 4, .device = device}).bytes == whole.bytes);
  // Nor on how many slices are worked on at once, by the transforms that are usual there.
  const std::string fft = device->is_gpu ? ",FFT=1" : "";
  if (is_tried (13))
    g_assert_true (run ("opencl", {.lanes = 4, .device = device}, "SLICES=2" + fft).bytes == whole.bytes);
  same (message_of ([&] { run ("opencl", {}); }),
        "variant=opencl does not run on native (" + native_device ()->name + "): it runs 'native'");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  if (argc > 1)
    mode = argv[1];
  if (argc > 2)
    platform = argv[2];
  if (!find_device ()) {
    g_print ("1..0 # SKIP no OpenCL device\n");
    return 0;
  }
  g_test_add_func ("/fourier-reconstruct/opencl/definition", test_definition);
  g_test_add_func ("/fourier-reconstruct/opencl/transforms", test_transforms);
  if (mode == "small")
    return g_test_run ();
  g_test_add_func ("/fourier-reconstruct/opencl/tiles", test_tiles);
  g_test_add_func ("/fourier-reconstruct/opencl/accuracy", test_accuracy);
  g_test_add_func ("/fourier-reconstruct/opencl/like-native", test_like_native);
  g_test_add_func ("/fourier-reconstruct/opencl/bits", test_bits);
  g_test_add_func ("/fourier-reconstruct/opencl/apart", test_apart);
  g_test_add_func ("/fourier-reconstruct/opencl/broken-values", test_broken_values);
  g_test_add_func ("/fourier-reconstruct/opencl/cancelled", test_cancelled);
  g_test_add_func ("/fourier-reconstruct/opencl/node", test_node);
  if (mode == "all")
    g_test_add_func ("/fourier-reconstruct/opencl/every-setting", test_every_setting);
  return g_test_run ();
}

} // namespace sino::test::fourier_reconstruct_opencl_test
