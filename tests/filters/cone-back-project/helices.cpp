// SPDX-License-Identifier: LGPL-3.0-or-later
// The OpenCL kernels of cone-back-project for helices, in which slices take the projections of their turn, against the
// kernel of the CPU, which follows the definition in doubles.
#include "tests/filters/back-project/truth.hpp"
#include "tests/filters/cone-back-project/scans.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/opencl-buffers.hpp"

namespace sino::test::cone_back_project_helices_test {

using namespace cone_back_project;

namespace {

const OpenclDevice *device;

Array on_device (const Array &in, const Words &words, Cut cut = {})
{
  return run_on (*device, in, words, cut);
}

Array random_helix (int turns, int64_t of_a_turn, double roll)
{
  Scan scan{changed (upright (), [] (auto &s) { s.lift = 5; }), turns * of_a_turn};
  scan.setup.roll = roll;
  scan.turns = turns;
  return random_projections (scan);
}

// Checks some slices of the box's region. The kernel of the CPU follows the definition, in doubles.
void check_turns (const Array &got, const Array &in, const Box &box, const std::string &kernel, Interval slices)
{
  auto part = box;
  part.z += slices.begin;
  auto words = words_of (part, "auto", "");
  words.emplace_back ("roi-depth", std::to_string (slices.size ()));
  const auto wanted = run_task (*make_task ("cone-back-project", words), {&in});
  const auto slice = static_cast<size_t> ((box.size - box.x) * (box.size - box.y)),
             values = wanted.bytes.size () / sizeof (float), first = static_cast<size_t> (slices.begin) * slice;
  g_assert_cmpuint (values, ==, static_cast<size_t> (slices.size ()) * slice);
  g_assert_cmpuint ((first + values) * sizeof (float), <=, got.bytes.size ());
  RelativeError error;
  for (size_t i = 0; i < values; i++)
    error.add (static_cast<double> (got.as<float> ()[first + i]), static_cast<double> (wanted.as<float> ()[i]));
  g_assert_cmpfloat (error.value (), <, bar (kernel, *device));
}

// A helix: slices take the projections of their turn. Cuts change no bit.
void test_turns (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  for (const double roll : {0.0, 0.2}) {
    if (roll != 0 && (kernel == "columns" || !is_drawn (kernel == "image", 2)))
      continue;
    const auto in = random_helix (3, 22, roll);
    const Box box{13, 23, 0.8, 2, 1, 1};
    const auto words = words_of (box, kernel, "VIEWS=8,Z=4,WIDE=8,HIGH=4");
    const auto whole = on_device (in, words);
    check_turns (whole, in, box, kernel, {0, box.slices - box.z});
    for (const Cut cut : {Cut{3, 5}, Cut{11, 1}}) {
      const auto parts = on_device (in, words, cut);
      same_bytes (whole, parts);
    }
  }
}

// The slices at the ends of a long helix are as exact as others. The upper half of the volume lies beyond the helix:
// its slices take the first turn.
void test_long_helix (const void *data)
{
  const std::string kernel = static_cast<const char *> (data);
  const auto in = random_helix (200, 12, 0);
  const Box box{13, 2500, 0.8, 2, 1, 0};
  const auto got = on_device (in, words_of (box, kernel, "VIEWS=8,Z=4,WIDE=8,HIGH=4"));
  for (const int64_t slice : {0, 1240})
    check_turns (got, in, box, kernel, {slice, slice + 40});
}

} // namespace

int run (int argc, char **argv)
{
  return run_on_device (argc, argv, [] (bool) {
    device = opencl_devices ().front ().get ();
    for (const char *kernel : {"buffer", "image", "columns"}) {
      const auto add = [&] (const char *name, void (*test) (const void *)) {
        g_test_add_data_func (text ("/cone-back-project/helices/%s/%s", name, kernel).c_str (), kernel, test);
      };
      add ("turns", test_turns);
      add ("long", test_long_helix);
    }
  });
}

} // namespace sino::test::cone_back_project_helices_test
