// SPDX-License-Identifier: LGPL-3.0-or-later
// The parameters that the table of tunings has for the families of S. Chilingaryan et al. 2019 are those of its tables
// 18, 20, 23 and 24; what came after has those of the nearest family.
#include "families/table.hpp"
#include "tests/filters/back-project/boards.hpp"
#include "tests/filters/back-project/family.hpp"
#include <algorithm>
#include <glib.h>

namespace sino::test::back_project_tuning_rows_test {

using namespace back_project;

namespace {

constexpr auto linear = Interpolation::linear, nearest = Interpolation::nearest, oversample = Interpolation::oversample;

struct Row {
  const char *vendor, *architecture;
  Interpolation interpolation;
  int lanes;
  const char *parameters; // some of them
};

// Tables 18, 20, 23 and 24 of the paper.
constexpr Row rows_of_local[] = {
    {"nvidia", "2.0", linear, 1, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=0,ADVANCED=1,HOLD=2,HOLD_STEPS=1"},
    {"nvidia", "2.0", nearest, 1, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=0"},
    {"nvidia", "2.0", linear, 2, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=0,ADVANCED=1,HOLD=2,HOLD_STEPS=1"},
    {"nvidia", "2.0", nearest, 2, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=0"},
    {"nvidia", "2.0", linear, 4, "PIXELS=4,CACHED=8,UNROLL=0,ROUND=0,ADVANCED=1,HOLD=1,HOLD_STEPS=1"},
    {"nvidia", "2.0", nearest, 4, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=0"},
    {"nvidia", "3.0", linear, 1, "PIXELS=8,CACHED=8,UNROLL=4,ROUND=1,ADVANCED=1,HOLD=1,HOLD_STEPS=1"},
    {"nvidia", "3.0", nearest, 1, "PIXELS=16,CACHED=16,UNROLL=4,ROUND=1,WRITE64=1,FILLERS=16"},
    {"nvidia", "3.0", linear, 2, "PIXELS=8,CACHED=8,UNROLL=2,ROUND=1,ADVANCED=0,HOLD=1"},
    {"nvidia", "3.0", nearest, 2, "PIXELS=8,CACHED=8,UNROLL=2,ROUND=1"},
    {"nvidia", "3.0", linear, 4, "PIXELS=4,CACHED=8,UNROLL=2,ROUND=0,ADVANCED=0,HOLD=1"},
    {"nvidia", "3.0", nearest, 4, "PIXELS=4,CACHED=8,UNROLL=2,ROUND=0"},
    {"nvidia", "3.5", linear, 1, "PIXELS=8,CACHED=8,UNROLL=4,ROUND=1,ADVANCED=1,HOLD=1,HOLD_STEPS=1"},
    {"nvidia", "3.5", nearest, 1, "PIXELS=16,CACHED=16,UNROLL=4,ROUND=1,WRITE64=1,FILLERS=16"},
    {"nvidia", "3.5", linear, 2, "PIXELS=8,CACHED=8,UNROLL=2,ROUND=1,ADVANCED=0,HOLD=1"},
    {"nvidia", "3.5", nearest, 2, "PIXELS=8,CACHED=8,UNROLL=2,ROUND=1"},
    {"nvidia", "3.5", linear, 4, "PIXELS=4,CACHED=8,UNROLL=2,ROUND=0,ADVANCED=0,HOLD=1"},
    {"nvidia", "3.5", nearest, 4, "PIXELS=4,CACHED=8,UNROLL=2,ROUND=0"},
    {"nvidia", "5.2", linear, 1, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0,ADVANCED=1,HOLD=1,HOLD_STEPS=1"},
    {"nvidia", "5.2", nearest, 1, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "5.2", linear, 2, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0,ADVANCED=0,HOLD=1"},
    {"nvidia", "5.2", nearest, 2, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "5.2", linear, 4, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=1,HALF_CACHE=1,ADVANCED=0,HOLD=1"},
    {"nvidia", "5.2", nearest, 4, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=1,HALF_CACHE=1"},
    {"nvidia", "6.1", linear, 1, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0,ADVANCED=1,HOLD=1,HOLD_STEPS=1"},
    {"nvidia", "6.1", nearest, 1, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "6.1", linear, 2, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0,ADVANCED=0,HOLD=1"},
    {"nvidia", "6.1", nearest, 2, "PIXELS=16,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "6.1", linear, 4, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=1,HALF_CACHE=1,ADVANCED=0,HOLD=1"},
    {"nvidia", "6.1", nearest, 4, "PIXELS=4,CACHED=16,UNROLL=0,ROUND=1,HALF_CACHE=1"},
    {"amd", "vliw5", linear, 1, "PIXELS=16,CACHED=8,ADVANCED=1,HOLD=1,AHEAD=256"},
    {"amd", "vliw5", nearest, 1, "PIXELS=16,CACHED=8"},
    {"amd", "vliw5", linear, 2, "PIXELS=8,CACHED=16,ADVANCED=0,HOLD=1,AHEAD=256"},
    {"amd", "vliw5", nearest, 2, "PIXELS=8,CACHED=16"},
    {"amd", "vliw5", linear, 4, "PIXELS=8,CACHED=8,ADVANCED=0,HOLD=1,AHEAD=256"},
    {"amd", "vliw5", nearest, 4, "PIXELS=8,CACHED=8"},
    {"amd", "gfx600", linear, 1, "PIXELS=16,CACHED=8,ADVANCED=1,HOLD=2,AHEAD=256"},
    {"amd", "gfx600", nearest, 1, "PIXELS=16,CACHED=8"},
    {"amd", "gfx600", linear, 2, "PIXELS=4,CACHED=16,ADVANCED=0,HOLD=2,AHEAD=256"},
    {"amd", "gfx600", nearest, 2, "PIXELS=16,CACHED=8"},
    {"amd", "gfx600", linear, 4, "PIXELS=4,CACHED=8,ADVANCED=0,HOLD=2,AHEAD=256"},
    {"amd", "gfx600", nearest, 4, "PIXELS=4,CACHED=8"},
    {"amd", "gfx701", linear, 1, "PIXELS=16,CACHED=8,ADVANCED=1,HOLD=1,AHEAD=0"},
    {"amd", "gfx701", nearest, 1, "PIXELS=16,CACHED=8"},
    {"amd", "gfx701", linear, 2, "PIXELS=4,CACHED=16,ADVANCED=0,HOLD=1,AHEAD=0"},
    {"amd", "gfx701", nearest, 2, "PIXELS=16,CACHED=8"},
    {"amd", "gfx701", linear, 4, "PIXELS=4,CACHED=16,ADVANCED=0,HOLD=1,AHEAD=0"},
    {"amd", "gfx701", nearest, 4, "PIXELS=4,CACHED=16"},
    {"nvidia", "2.0", oversample, 1, "PIXELS=4,ARRAYS=1,FILLERS=32,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "2.0", oversample, 2, "PIXELS=4,ARRAYS=2,FILLERS=32,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "2.0", oversample, 4, "PIXELS=4,ARRAYS=4,FILLERS=64,CACHED=4,UNROLL=2,ROUND=0"},
    {"nvidia", "3.0", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=4,UNROLL=4,ROUND=2,WRITE64=1"},
    {"nvidia", "3.0", oversample, 2, "PIXELS=8,ARRAYS=1,FILLERS=32,CACHED=4,UNROLL=2,ROUND=1"},
    {"nvidia", "3.0", oversample, 4, "PIXELS=4,ARRAYS=2,FILLERS=64,CACHED=4,UNROLL=2,ROUND=0"},
    {"nvidia", "3.5", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=4,UNROLL=4,ROUND=2,WRITE64=1"},
    {"nvidia", "3.5", oversample, 2, "PIXELS=8,ARRAYS=1,FILLERS=32,CACHED=4,UNROLL=2,ROUND=1"},
    {"nvidia", "3.5", oversample, 4, "PIXELS=4,ARRAYS=2,FILLERS=64,CACHED=4,UNROLL=2,ROUND=0"},
    {"nvidia", "5.2", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "5.2", oversample, 2, "PIXELS=16,ARRAYS=2,FILLERS=64,CACHED=4,UNROLL=0,ROUND=0"},
    {"nvidia", "5.2", oversample, 4, "PIXELS=4,ARRAYS=4,FILLERS=64,CACHED=4,UNROLL=2,ROUND=0"},
    {"nvidia", "6.1", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=8,UNROLL=0,ROUND=0"},
    {"nvidia", "6.1", oversample, 2, "PIXELS=16,ARRAYS=2,FILLERS=64,CACHED=4,UNROLL=0,ROUND=0"},
    {"nvidia", "6.1", oversample, 4, "PIXELS=4,ARRAYS=4,FILLERS=64,CACHED=4,UNROLL=2,ROUND=0"},
    {"amd", "vliw5", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=8,WRITE64=1"},
    {"amd", "vliw5", oversample, 2, "PIXELS=8,ARRAYS=1,FILLERS=32,CACHED=4"},
    {"amd", "vliw5", oversample, 4, "PIXELS=8,ARRAYS=2,FILLERS=32,CACHED=4,UNROLL=2"},
    {"amd", "gfx600", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=8,WRITE64=1"},
    {"amd", "gfx600", oversample, 2, "PIXELS=4,ARRAYS=1,FILLERS=32,CACHED=8"},
    {"amd", "gfx600", oversample, 4, "PIXELS=4,ARRAYS=2,FILLERS=64,CACHED=4,UNROLL=2"},
    {"amd", "gfx701", oversample, 1, "PIXELS=16,ARRAYS=1,FILLERS=32,CACHED=8"},
    {"amd", "gfx701", oversample, 2, "PIXELS=4,ARRAYS=2,FILLERS=32,CACHED=8"},
    {"amd", "gfx701", oversample, 4, "PIXELS=4,ARRAYS=4,FILLERS=64,CACHED=4,UNROLL=2"},
};
constexpr Row rows_of_hybrid[] = {
    {"nvidia", "5.2", linear, 1, "TEXTURE_SHARE=3,LOCAL_SHARE=5,PIXELS=16,CACHED=8,ROUND=0"},
    {"nvidia", "5.2", linear, 2, "TEXTURE_SHARE=1,LOCAL_SHARE=1,PIXELS=4,CACHED=16,ROUND=0"},
    {"nvidia", "6.1", linear, 1, "TEXTURE_SHARE=3,LOCAL_SHARE=5,PIXELS=16,CACHED=8,ROUND=0"},
    {"nvidia", "6.1", linear, 2, "TEXTURE_SHARE=1,LOCAL_SHARE=1,PIXELS=4,CACHED=16,ROUND=0"},
};

// The first choice of that kernel and so many lanes has these parameters.
void test_row (const char *variant, const Row &row)
{
  const bool half = std::string_view (row.parameters).find ("HALF_CACHE") != std::string_view::npos;
  const auto choices =
      test::tabled (gpu (row.vendor, row.architecture), test::situation (row.lanes > 1, row.interpolation, half));
  const auto found = std::find_if (choices.begin (), choices.end (), [&] (const auto &choice) {
    return choice.setting.kernel->name == std::string_view (variant) && choice.lanes == row.lanes;
  });
  g_test_message ("%s %s, %d lanes: %s", row.vendor, row.architecture, row.lanes,
                  found == choices.end () ? "none" : found->setting.text ().c_str ());
  g_assert_true (found != choices.end ());
  for (const auto &[name, value] : test::setting (variant, row.parameters).parameters)
    g_assert_cmpint (found->setting[name], ==, value);
}

void test_rows ()
{
  for (const auto &row : rows_of_local)
    test_row ("local", row);
  for (const auto &row : rows_of_hybrid)
    test_row ("hybrid", row);
  // What came after takes the last rows; conversions are slow on all of it from NVIDIA, and unknown on Intel's.
  for (const auto &[vendor, architecture] : {std::pair{"nvidia", "7.0"},
                                             {"nvidia", "7.5"},
                                             {"nvidia", "8.0"},
                                             {"nvidia", "8.6"},
                                             {"nvidia", "8.9"},
                                             {"nvidia", "10.0"},
                                             {"nvidia", "12.0"},
                                             {"intel", "12.0"},
                                             {"intel", "12.55"},
                                             {"intel", "12.60"},
                                             {"intel", "20.1"}}) {
    test_row ("local", {vendor, architecture, linear, 1, "PIXELS=16,CACHED=8,ADVANCED=1,ROUND=1"});
    test_row ("local", {vendor, architecture, linear, 2, "PIXELS=16,CACHED=8,ADVANCED=0"});
    test_row ("local", {vendor, architecture, linear, 4, "PIXELS=4,CACHED=16,ADVANCED=0,ROUND=0"});
  }
  for (const char *gfx : {"gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"}) {
    test_row ("local", {"amd", gfx, linear, 1, "PIXELS=16,CACHED=8,ADVANCED=1"});
    test_row ("local", {"amd", gfx, linear, 2, "PIXELS=4,CACHED=16,ADVANCED=0"});
    test_row ("local", {"amd", gfx, linear, 4, "PIXELS=4,CACHED=16,ADVANCED=0"});
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/tuning/rows", test_rows);
  return g_test_run ();
}

} // namespace sino::test::back_project_tuning_rows_test
