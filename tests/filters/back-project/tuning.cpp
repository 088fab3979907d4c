// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernels are proposed for which devices, by faked facts: the paper's table 25 for what it measured, its model's
// predictions for what came after.
#include "base/error.hpp"
#include "families/table.hpp"
#include "families/tuning-table.hpp"
#include "kernels/opencl/source.hpp"
#include "tests/filters/back-project/boards.hpp"
#include "tests/filters/back-project/family.hpp"
#include "tests/support/expect.hpp"
#include <algorithm>

namespace sino::test::back_project_tuning_test {

using namespace back_project;

namespace {

constexpr auto linear = Interpolation::linear, nearest = Interpolation::nearest, oversample = Interpolation::oversample;

// The first that the device can run, as "hybrid 2".
std::string first (const OpenclFacts &facts, bool many, Interpolation interpolation, bool half = false)
{
  for (const auto &choice : tabled (facts, situation (many, interpolation, half)))
    if (families::refusal (choice.setting, problem (choice.lanes, half, interpolation, false, 2048, 1500), facts)
            .empty ())
      return text ("%s %d", choice.setting.kernel->name, choice.lanes);
  return "none";
}

struct Expected {
  const char *family;
  OpenclFacts facts;
  const char *one, *many, *half; // linear
  const char *one_nearest, *many_nearest;
};

const std::vector<Expected> &expected ()
{
  static const auto nvidia = [] (const char *version) { return gpu ("nvidia", version); };
  static const auto amd = [] (const char *gfx, bool images = true) { return gpu ("amd", gfx, images); };
  static const auto intel = [] (const char *version, bool images = true) { return gpu ("intel", version, images); };
  static const std::vector<Expected> all{
      // Table 25; halves as OpenCL filters them, which CUDA 8 did not.
      {"GT200", nvidia ("1.3"), "texture 1", "texture 1", "texture 1", "texture 1", "texture 1"},
      {"Fermi", nvidia ("2.0"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"GK104", nvidia ("3.0"), "texture 1", "texture 2", "texture 4", "local 1", "local 4"},
      {"GK110", nvidia ("3.5"), "texture 1", "texture 2", "texture 4", "local 1", "local 4"},
      {"GK110", nvidia ("3.7"), "texture 1", "texture 2", "texture 4", "local 1", "local 4"},
      {"Maxwell", nvidia ("5.2"), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"Pascal", nvidia ("6.1"), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"VLIW5", amd ("vliw5"), "local 1", "local 4", "local 4", "local 1", "texture 4"},
      {"GCN1", amd ("gfx600"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"GCN2", amd ("gfx701"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"GCN2", amd ("gfx803"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      // Predicted.
      {"GP100", nvidia ("6.0"), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"Volta", nvidia ("7.0"), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"Turing", nvidia ("7.5"), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"A100", nvidia ("8.0"), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"GA10x", nvidia ("8.6"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"GA10x", nvidia ("8.7"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"Ada", nvidia ("8.9"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"Hopper", nvidia ("9.0"), "local 1", "local 4", "hybrid 4", "local 1", "local 4"}, // measured, not predicted
      {"Blackwell", nvidia ("10.0"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"Blackwell", nvidia ("10.3"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"RTX 50", nvidia ("12.0"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"RTX 50", nvidia ("17.5"), "local 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"GCN5", amd ("gfx906"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"GCN5", amd ("gfx90c"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"CDNA1", amd ("gfx908"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"CDNA2", amd ("gfx90a"), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"CDNA3", amd ("gfx942", false), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"CDNA3", amd ("gfx950", false), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"CDNA3", amd ("gfx1250", false), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"RDNA", amd ("gfx1010"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"RDNA", amd ("gfx1030"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"RDNA", amd ("gfx1100"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"RDNA", amd ("gfx1201"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"Xe", intel ("12.0"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"Xe", intel ("12.55"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"Xe-HPC", intel ("12.60", false), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"Xe-LPG", intel ("12.70"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"Xe-LPG", intel ("20.4"), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"Xe3P", intel ("35.11", false), "local 1", "local 4", "local 4", "local 1", "local 4"},
      // Vendors' defaults. A GPU without images that nobody knows.
      {"", nvidia (""), "hybrid 1", "hybrid 2", "texture 4", "local 1", "local 4"},
      {"", amd (""), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"", intel (""), "local 1", "local 4", "texture 4", "local 1", "local 4"},
      {"", gpu ("other", "", false), "local 1", "local 4", "local 4", "local 1", "local 4"},
      {"PoCL",
       {.vendor = "pocl", .local_memory = 1 << 20, .largest_group = 4096},
       "blocked 4",
       "blocked 16",
       "blocked 16",
       "blocked 4",
       "blocked 16"},
  };
  return all;
}

void test_first_choices ()
{
  for (const auto &[architecture, facts, one, many, half, one_nearest, many_nearest] : expected ()) {
    g_test_message ("%s %s", facts.vendor.c_str (), facts.architecture.c_str ());
    same (families::architecture_of (back_project::family (), facts), architecture);
    same (first (facts, false, linear), one);
    same (first (facts, true, linear), many);
    same (first (facts, true, linear, true), half);
    same (first (facts, false, nearest), one_nearest);
    same (first (facts, true, nearest), many_nearest);
  }
}

// Halves that are not interpolated, and oversampling: only where there is a figure or a prediction for it.
void test_other_first_choices ()
{
  for (const auto &expectation : expected ()) {
    const auto &facts = expectation.facts;
    g_test_message ("%s %s", facts.vendor.c_str (), facts.architecture.c_str ());
    const bool pocl = facts.vendor == "pocl";
    if (facts.architecture == "1.3") // which had no choice
      continue;
    same (first (facts, false, oversample), pocl ? "blocked 4" : "local 1");
    same (first (facts, true, oversample), pocl ? "blocked 16" : "local 4");
  }
  for (const char *version : {"5.2", "6.1", "7.0", "8.6"}) // table 25, approximate
    same (first (gpu ("nvidia", version), true, nearest, true), "texture 4");
  same (first (gpu ("nvidia", "3.5"), true, nearest, true), "local 4");
  same (first (gpu ("amd", "vliw5"), true, nearest, true), "texture 4");
  same (first (gpu ("amd", "gfx701"), true, nearest, true), "local 4");
}

// What is taken where the first choice does not run.
void test_second_choices ()
{
  for (const char *version : {"7.0", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"}) {
    const auto facts = gpu ("nvidia", version, false); // hybrid.cl and texture.cl need images
    same (first (facts, false, linear), "local 1");
    same (first (facts, true, linear), "local 4");
    same (first (facts, true, linear, true), "local 4");
  }
  const auto after_hybrid = [] (const char *version) {
    for (const auto &choice : tabled (gpu ("nvidia", version), situation (true, linear, false)))
      if (choice.setting.kernel->name != std::string_view ("hybrid"))
        return text ("%s %d", choice.setting.kernel->name, choice.lanes);
    return std::string ("none");
  };
  same (after_hybrid ("7.0"), "local 4");
  same (after_hybrid ("7.5"), "texture 2"); // local memory has half the rate there
  same (after_hybrid ("8.0"), "local 4");
  same (after_hybrid ("8.6"), "local 4");
  same (after_hybrid ("12.0"), "local 4");
}

// Every list ends in what runs with 256 work-items, 16 KB of local memory and no images.
void test_ends ()
{
  for (const auto &expectation : expected ()) {
    auto facts = expectation.facts;
    facts.images = false;
    facts.local_memory = 16384;
    facts.constant_memory = 1024;
    facts.largest_group = 256;
    for (const bool many : {false, true})
      for (const bool half : {false, true})
        for (const auto interpolation : {linear, nearest, oversample})
          g_assert_true (first (facts, many, interpolation, half) != "none");
  }
}

// Nothing in the table contradicts itself: a device that can do all refuses none.
void test_settings ()
{
  size_t seen = 0;
  for (const auto &expectation : expected ()) {
    auto facts = expectation.facts;
    facts.images = true;
    facts.image_width = facts.image_height = 1 << 20;
    facts.local_memory = facts.constant_memory = 1 << 20;
    facts.largest_group = 1 << 20;
    for (const bool many : {false, true})
      for (const bool half : {false, true})
        for (const auto interpolation : {linear, nearest, oversample})
          for (const auto &choice : tabled (facts, situation (many, interpolation, half))) {
            const auto why =
                families::refusal (choice.setting, problem (choice.lanes, half, interpolation, false, 64, 64), facts);
            // What fits any interpolation says so by being refused; the families' own are told apart.
            const std::string_view name = choice.setting.kernel->name;
            if (choice.origin != families::default_of_all && name != "texture" && name != "reference")
              same (why, "");
            g_assert_false (choice.reason.empty ());
            seen++;
          }
  }
  g_assert_cmpuint (seen, >, 1000);
}

void test_paper ()
{
  const auto best = [] (const char *version, bool many, Interpolation interpolation, bool half = false) {
    return tabled (gpu ("nvidia", version), situation (many, interpolation, half))[0].setting.text ();
  };
  // Tables 18, 20, 23 and 24.
  same (best ("6.1", false, linear),
        "hybrid(ADVANCED=1,CACHED=8,CONSTANT=1,HOLD_STEPS=1,LOCAL_SHARE=5,PIXELS=16,TEXTURE_SHARE=3,UNROLL=0)");
  same (best ("6.1", true, linear), "hybrid(CACHED=16,CONSTANT=1,LOCAL_SHARE=1,PIXELS=4,TEXTURE_SHARE=1,UNROLL=0)");
  same (best ("3.5", false, nearest),
        "local(CACHED=16,CONSTANT=1,FILLERS=16,HOLD_STEPS=1,IMAGE=1,PIXELS=16,ROUND=1,UNROLL=4,WRITE64=1)");
  same (best ("2.0", true, linear), "local(ADVANCED=1,CACHED=8,CONSTANT=1,HOLD_STEPS=1,IMAGE=1,PIXELS=4,UNROLL=0)");
  same (best ("5.2", true, oversample), "local(ARRAYS=4,CACHED=4,CONSTANT=1,FILLERS=64,IMAGE=1,PIXELS=4,UNROLL=2)");
  // What a choice wants too much is taken off it by turns.
  const auto list = tabled (gpu ("amd", "gfx701"), situation (false, linear, false));
  same (list[0].setting.text (), "local(ADVANCED=1,CACHED=8,CONSTANT=1,IMAGE=1,PIXELS=16,UNROLL=0)");
  same (list[1].setting.text (), "local(ADVANCED=1,CACHED=8,IMAGE=1,PIXELS=16,UNROLL=0)");
  same (list[2].setting.text (), "local(ADVANCED=1,CACHED=8,PIXELS=16,UNROLL=0)");
}

void test_names ()
{
  struct {
    OpenclNames names;
    const char *vendor, *architecture;
  } const cases[] = {
      {{"NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA H200", "", 9, 0}, "nvidia", "9.0"},
      {{"NVIDIA CUDA", "NVIDIA Corporation", "Some later one", "", 14, 1}, "nvidia", "14.1"},
      {{"NVIDIA CUDA", "NVIDIA Corporation", "Without the query"}, "nvidia", ""},
      {{"Portable Computing Language", "NVIDIA Corporation", "NVIDIA A100", "", 8, 0}, "pocl", ""},
      {{"Portable Computing Language", "AuthenticAMD", "pthread-AMD EPYC"}, "pocl", ""},
      {{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "gfx90a:sramecc+:xnack-", "", 0, 0, 9,
        0},
       "amd",
       "gfx90a"},
      {{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "gfx908:sramecc+:xnack-", "", 0, 0, 9,
        0},
       "amd",
       "gfx908"},
      {{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "gfx1100"}, "amd", "gfx1100"},
      {{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "Tahiti"}, "amd", "gfx600"},
      {{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "Hawaii"}, "amd", "gfx701"},
      {{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "Cypress"}, "amd", "vliw5"},
      {{"rusticl", "AMD", "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6, DRM 3.49)"}, "amd", "gfx1030"},
      {{"rusticl", "AMD", "AMD Radeon RX 7900 XTX (gfx1100, LLVM 15.0.6)"}, "amd", "gfx1100"},
      {{"rusticl", "Mesa/X.org", "llvmpipe (LLVM 15.0.6, 256 bits)"}, "other", ""},
      {{"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) Arc(TM) A770", "", 0, 0, 0, 0,
        12u << 22 | 55u << 14},
       "intel",
       "12.55"},
      {{"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Max 1100", "", 0, 0, 0, 0, 12u << 22 | 60u << 14 | 7},
       "intel",
       "12.60"},
      {{"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) Arc(TM) B580", "", 0, 0, 0, 0,
        20u << 22 | 1u << 14},
       "intel",
       "20.1"},
      {{"Oclgrind", "University of Bristol", "Oclgrind Simulator"}, "oclgrind", ""},
  };
  for (const auto &[names, vendor, architecture] : cases) {
    OpenclFacts facts;
    tell_architecture (names, facts);
    g_test_message ("%s", names.device.c_str ());
    same (facts.vendor, vendor);
    same (facts.architecture, architecture);
    g_assert_cmpint (facts.most_turns, ==, names.device.starts_with ("llvmpipe") ? 65535 : 0);
  }
}

std::string complaint (const std::string &json)
{
  try {
    families::read_tuning (back_project::family (), json);
  } catch (const Error &error) {
    g_assert_cmpint (error.code, ==, SINO_ERROR_BAD_FILE);
    return error.what ();
  }
  return "";
}

void test_damaged ()
{
  const auto with = [] (const char *choice) {
    return complaint (text (
        "{\"families\": [{\"family\": \"A\", \"choices\": [{\"variant\": \"local\", \"lanes\": 1}, %s]}]}", choice));
  };
  const std::string tables = "tuning.json: $", place = tables + ".families[0].choices[1]";
  same (complaint (opencl::kernel_file ("back-project/tuning.json")), "");
  g_assert_true (complaint ("{\"families\": [").starts_with ("tuning.json: "));
  g_assert_true (complaint ("").starts_with ("tuning.json: "));
  same (complaint ("[]"), tables + ": must be an object");
  same (complaint ("{\"families\": {}}"), tables + ".families: must be an array");
  same (complaint ("{\"families\": [{\"name\": \"A\"}]}"), tables + ".families[0].name: unknown key");
  same (complaint ("{\"families\": [{\"family\": 3}]}"), tables + ".families[0].family: must be a string");
  same (complaint ("{\"families\": [{\"from\": \"new\"}]}"), tables + ".families[0].from: is not a version");
  same (complaint ("{\"families\": [{\"architectures\": [9]}]}"),
        tables + ".families[0].architectures[0]: must be a string");
  same (complaint ("{\"families\": [{\"like\": \"B\"}]}"),
        tables + ".families[0]: refers to 'B', which does not exist");
  same (complaint ("{\"families\": [{\"family\": \"A\"}, {\"family\": \"A\"}]}"),
        tables + ".families[1]: there is a family 'A' before");
  same (with ("{\"lanes\": 1}"), place + ": has no 'variant'");
  same (with ("{\"variant\": \"locals\", \"lanes\": 1}"), place + ": there is no OpenCL kernel 'locals'");
  same (with ("{\"variant\": \"local\"}"), place + ": has no 'lanes'");
  same (with ("{\"variant\": \"local\", \"lanes\": 3}"), place + ": local does not take 3 lanes");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"slices\": \"few\"}"),
        place + ".slices: must be one of one, many");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"precision\": 1}"), place + ".precision: must be a string");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"mask\": \"true\"}"), place + ".mask: unknown key");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"gups\": -5}"), place + ".gups: is not a speed");
  for (const char *error : {"0", "1", "-1e-5"})
    same (with (text ("{\"variant\": \"local\", \"lanes\": 1, \"error\": %s}", error).c_str ()),
          place + ".error: is not a relative error, which is above 0 and below 1");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"error\": \"small\"}"), place + ".error: must be a number");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"parameters\": {\"PIXELS\": 5}}"),
        place + ": PIXELS of variant=local must be one of 4, 8, 16, got 5");
  same (with ("{\"variant\": \"local\", \"lanes\": 1, \"parameters\": {\"PIXELS\": \"4\"}}"),
        place + ".parameters.PIXELS: must be an integer from 0 to 1073741824");
  g_assert_true (with ("{\"variant\": \"local\", \"lanes\": 1, \"parameters\": {\"PIXEL\": 4}}")
                     .starts_with (place + ": variant=local has no parameter 'PIXEL': the parameters are PIXELS, "));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/tuning/first-choices", test_first_choices);
  g_test_add_func ("/tuning/other-first-choices", test_other_first_choices);
  g_test_add_func ("/tuning/second-choices", test_second_choices);
  g_test_add_func ("/tuning/ends", test_ends);
  g_test_add_func ("/tuning/settings", test_settings);
  g_test_add_func ("/tuning/paper", test_paper);
  g_test_add_func ("/tuning/names", test_names);
  g_test_add_func ("/tuning/damaged", test_damaged);
  return g_test_run ();
}

} // namespace sino::test::back_project_tuning_test
