// SPDX-License-Identifier: LGPL-3.0-or-later
// What the node stands for, which method it takes, and the estimates by which it does so.
#include "device/opencl.hpp"
#include "filters/reconstruct/device.hpp"
#include "glue/composite.hpp"
#include "tests/filters/back-project/boards.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/run-task.hpp"
#include <algorithm>
#include <cmath>

namespace sino::test::reconstruct_test {

using namespace reconstruct;

namespace {

using Properties = std::vector<std::pair<std::string, std::string>>;

constexpr Machine avx512{2, 64}; // on which all was measured

Format scan (int64_t projections, int64_t rows, int64_t columns, Element element = Element::f32)
{
  return sino::projections (element, {Axis::angle, projections}, {Axis::row, rows}, {Axis::column, columns});
}

Expansion expand (const Format &format, const Properties &properties, int threads = 2)
{
  const auto task = make_task ("reconstruct", properties);
  check_taken (*task, std::vector{&format});
  return task->composite ()->expand (std::vector{&format}, {*native_device (), threads});
}

std::string method_of (const Format &format, const Properties &properties = {}, int threads = 2)
{
  return expand (format, properties, threads).parts.back ().type;
}

std::string setting (const Expansion::Part &part, const std::string &property)
{
  for (const auto &s : part.settings)
    if (s.property == property) {
      same (s.origin, property);
      return s.word;
    }
  return "(none)";
}

void check_chain (const Expansion &chain, const std::vector<std::string> &plugins)
{
  g_assert_cmpuint (chain.parts.size (), ==, plugins.size ());
  for (size_t i = 0; i < plugins.size (); i++) {
    same (chain.parts[i].type, plugins[i]);
    same (chain.parts[i].name, plugins[i]);
  }
  g_assert_cmpuint (chain.wires.size (), ==, plugins.size () - 1);
  for (size_t i = 0; i < chain.wires.size (); i++)
    g_assert_true (chain.wires[i].from == i && chain.wires[i].to == i + 1 && chain.wires[i].input == 0);
  g_assert_cmpuint (chain.feeds.size (), ==, 1);
  g_assert_true (chain.feeds[0].to == 0 && chain.feeds[0].port == 0);
  g_assert_cmpuint (chain.output, ==, plugins.size () - 1);
}

void parts ()
{
  const auto format = scan (100, 4, 64);
  const Properties given{{"axis", "30.25"},   {"angle-offset", "0.1"}, {"weights", "spacing"},
                         {"mask", "true"},    {"roi-x", "1"},          {"roi-y", "2"},
                         {"roi-width", "30"}, {"roi-height", "20"},    {"padding-mode", "edge"},
                         {"cutoff", "0.75"},  {"order", "5"},          {"power", "2"}};
  for (const std::string method : {"direct", "fourier"}) {
    auto properties = given;
    properties.emplace_back ("method", method);
    const auto chain = expand (format, properties);
    if (method == "direct")
      check_chain (chain, {"ramp-filter", "interleave", "back-project"});
    else
      check_chain (chain, {"interleave", "fourier-reconstruct"});
    for (const auto &[property, word] : given) {
      const bool filters =
          property == "padding-mode" || property == "cutoff" || property == "order" || property == "power";
      const auto &part = filters && method == "direct" ? chain.parts.front () : chain.parts.back ();
      const auto got = setting (part, property);
      if (property == "angle-offset" || property == "cutoff" || property == "power")
        g_assert_cmpfloat (std::stod (got), ==, std::stod (word)); // all digits
      else
        same (got, word);
    }
  }
  // Windows that give the same noise, unless one is asked for.
  for (const auto &[asked, direct, fourier] :
       {std::tuple{"auto", "ram-lak", "sinc"}, {"hann", "hann", "hann"}, {"none", "none", "none"}}) {
    same (setting (expand (format, {{"method", "direct"}, {"window", asked}}).parts.front (), "window"), direct);
    same (setting (expand (format, {{"method", "fourier"}, {"window", asked}}).parts.back (), "window"), fourier);
  }
  const auto direct = expand (format, {{"interpolation", "nearest"}, {"precision", "int16"}});
  same (setting (direct.parts.back (), "interpolation"), "nearest");
  same (setting (direct.parts.back (), "precision"), "int16");
  g_assert_cmpfloat (
      std::stod (setting (expand (format, {{"method", "fourier"}, {"accuracy", "2e-4"}}).parts.back (), "accuracy")),
      ==, 2e-4);
  // OpenCL devices take halves as they come.
  if (!opencl_devices ().empty ())
    for (const char *precision : {"half", "half-storage", "single"}) {
      const auto task = make_task ("reconstruct", {{"method", "direct"}, {"precision", precision}});
      const auto chain = task->composite ()->expand (std::vector{&format}, {*opencl_devices ()[0], 2});
      if (precision == std::string ("single"))
        check_chain (chain, {"ramp-filter", "interleave", "back-project"});
      else
        check_chain (chain, {"ramp-filter", "half-pack", "interleave", "back-project"});
      same (setting (chain.parts.back (), "precision"), precision);
    }
}

Work full (int64_t n, int64_t projections, int64_t slices)
{
  return {n, projections, slices, static_cast<double> (n * n), 4};
}

// All on the machine that the constants are of, at other sizes, too; a quarter covers what the model leaves out.
void estimates_are_near_measurements ()
{
  const auto near = [] (double got, double milliseconds) {
    g_assert_cmpfloat (std::abs (got / 32 * 1e3 - milliseconds), <=, 0.25 * milliseconds);
  };
  // Gridding with a width of 4, 5 and 6 cells.
  for (const auto &[n, w4, w5, w6] :
       {std::tuple{1024, 2.9, 3.4, 4.5}, {2048, 12.7, 15.2, 17.3}, {4096, 60.0, 68.0, 85.0}}) {
    for (const auto &[width, measured] : {std::pair{4, w4}, {5, w5}, {6, w6}}) {
      auto work = full (n, n, 32);
      work.kernel_width = width;
      near (fourier_seconds (work, avx512), measured);
    }
  }
  // Back-projection and the filter before it.
  near (direct_seconds (full (1024, 1024, 32), avx512), 36 + 2.0);
  near (direct_seconds (full (2048, 2048, 32), avx512), 286 + 9.9);
  near (direct_seconds (full (4096, 4096, 32), avx512), 2290 + 43);
  // A slice alone is back-projected at half the speed; 37 are 32 and 8.
  g_assert_cmpfloat_with_epsilon (direct_seconds (full (2048, 2048, 1), avx512), 0.577 + 0.010, 0.02);
  auto without_filter =
      direct_seconds (full (1000, 1500, 37), avx512) - direct_seconds ({1000, 1500, 37, 0, 4}, avx512);
  g_assert_cmpfloat_with_epsilon (without_filter, 40 * 1e6 * 1500 / 29e9, 1e-9);
  // Gridding computes whole stacks, of as many slices as a vector has values.
  const auto stacks = [] (int64_t slices, int bytes) {
    auto work = full (2048, 2048, slices);
    work.pixels = 0;
    return fourier_seconds (work, {2, bytes});
  };
  for (const int bytes : {16, 32, 64}) {
    g_assert_cmpfloat (stacks (1, bytes), ==, stacks (bytes / 4, bytes));
    g_assert_cmpfloat (stacks (bytes / 4 + 1, bytes), ==, 2 * stacks (1, bytes));
    g_assert_cmpfloat_with_epsilon (stacks (1, bytes), stacks (1, 64), 1e-9); // and a stack takes as long
  }
}

OpenclFacts board (const char *vendor, const char *architecture, int units, int clock)
{
  auto facts = gpu (vendor, architecture);
  facts.units = units;
  facts.clock = clock;
  return facts;
}

// The stages of gridding on an H100, and what `sinograph tune` measured of back-projection there.
void estimates_of_a_gpu_are_near_measurements ()
{
  const auto h100 = board ("nvidia", "9.0", 132, 1980);
  const auto near = [] (double got, double milliseconds, double share) {
    if (std::abs (1e3 * got - milliseconds) > share * milliseconds)
      g_error ("%.3g ms, measured %.3g ms", 1e3 * got, milliseconds);
  };
  for (const auto &[n, slices, measured] :
       {std::tuple{1024, 16, 2.4}, {2048, 16, 8.3}, {4096, 16, 35.9}, {2048, 2, 2.3}}) {
    const auto work = full (n, n, slices);
    near (fourier_seconds (work, machine_of (h100, 2, work)), measured, 0.25);
  }
  const auto work = full (2048, 2048, 64);
  near (back_projection_seconds (work, machine_of (h100, 2, work)), 64 * 2.22, 0.65);
}

// On boards that are not there. Numbers of CPU threads decide nothing.
void chooses_on_gpus ()
{
  const auto fourier = [] (const OpenclFacts &facts, const Work &work) {
    const auto machine = machine_of (facts, 2, work), other = machine_of (facts, 64, work);
    const bool chosen = fourier_seconds (work, machine) < direct_seconds (work, machine);
    g_assert_true (chosen == (fourier_seconds (work, other) < direct_seconds (work, other)));
    return chosen;
  };
  for (const auto &facts :
       {board ("nvidia", "9.0", 132, 1980), board ("nvidia", "8.0", 108, 1410), board ("nvidia", "8.9", 128, 2520),
        board ("nvidia", "6.1", 28, 1582), board ("amd", "gfx90a", 110, 1700), board ("amd", "gfx1100", 48, 2500),
        board ("intel", "12.55", 512, 2400), board ("nvidia", "99.0", 200, 2000), board ("other", "", 16, 1000)}) {
    g_assert_true (fourier (facts, full (2048, 2048, 64)));
    g_assert_true (fourier (facts, full (1024, 1500, 64)));
    g_assert_true (!fourier (facts, full (2048, 8, 64)));
    g_assert_true (!fourier (facts, full (256, 16, 1)));
    auto region = full (2048, 2048, 64);
    region.pixels = 64 * 64;
    g_assert_true (!fourier (facts, region));
  }
}

// Where both take the same time.
double break_even (double low, double high, const std::function<Work (double)> &work)
{
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    (fourier_seconds (work (middle), avx512) < direct_seconds (work (middle), avx512) ? high : low) = middle;
  }
  return high;
}

// Measured at 2048: 60 projections take 6.1 ms by gridding and 9 ms by back-projection and filter. A few per cent of
// the area are below what filtering alone takes, which is as long as 3.5 % of the area.
void break_even_is_where_it_was_measured ()
{
  const double projections = break_even (1, 2048, [] (double n) { return full (2048, std::llround (n), 32); });
  g_assert_cmpfloat (projections, >=, 32);
  g_assert_cmpfloat (projections, <=, 45);
  const auto part = [] (double share) {
    auto work = full (2048, 2048, 32);
    work.pixels *= share;
    return work;
  };
  const double share = break_even (0, 1, part);
  g_assert_cmpfloat (share, >=, 0.04 - 0.035);
  g_assert_cmpfloat (share, <=, 0.08 - 0.035);
}

void chooses ()
{
  same (method_of (scan (2048, 32, 2048)), "fourier-reconstruct");
  same (method_of (scan (100, 32, 2048)), "fourier-reconstruct");
  same (method_of (scan (24, 32, 2048)), "back-project");
  const auto region = [] (int side) {
    return Properties{{"roi-x", "1000"}, {"roi-width", text ("%d", side)}, {"roi-height", text ("%d", side)}};
  };
  same (method_of (scan (2048, 32, 2048), region (600)), "fourier-reconstruct"); // 8.6 %
  same (method_of (scan (2048, 32, 2048), region (130)), "back-project");        // 0.4 %
  same (method_of (scan (16, 1, 256)), "back-project");
  same (method_of (scan (13000, 32, 13000)), "fourier-reconstruct");
  same (method_of (scan (13001, 32, 13001)), "back-project");
  // What is computed never depends on how many threads do it.
  for (int64_t projections = 20; projections < 200; projections += 4) {
    const auto format = scan (projections, 32, 2048);
    for (const int threads : {1, 3, 128})
      same (method_of (format, {}, threads), method_of (format));
  }
  auto sinograms = sino::sinograms (Element::f32, {Axis::row, 32}, {Axis::angle, 2048}, {Axis::column, 2048});
  same (method_of (sinograms), "fourier-reconstruct");
  check_chain (expand (sinograms, {{"method", "direct"}}), {"ramp-filter", "interleave", "back-project"});
}

void says_why ()
{
  const auto why = [] (const Format &format, const Properties &properties) { return expand (format, properties).why; };
  const auto like = [] (const std::string &got, const std::string &begin, const std::string &end) {
    if (!got.starts_with (begin) || !got.ends_with (end))
      g_error ("'%s' is not '%s ... %s'", got.c_str (), begin.c_str (), end.c_str ());
  };
  const auto large = scan (2048, 32, 2048);
  const auto text_of = why (large, {});
  like (text_of, "fourier, about ", " s");
  g_assert_nonnull (strstr (text_of.c_str (), " s; direct would take "));
  like (why (scan (24, 32, 2048), {}), "direct, about ", " s");
  g_assert_nonnull (strstr (why (scan (24, 32, 2048), {}).c_str (), " s; fourier would take "));
  like (why (large, {{"method", "direct"}}), "direct, set by method=, about ", " s");
  like (why (scan (24, 32, 2048), {{"method", "fourier"}}), "fourier, set by method=, about ", " s");
  like (why (large, {{"interpolation", "oversample"}}), "direct, about ",
        " s: interpolation=oversample is set, which fourier does not have");
  like (why (large, {{"precision", "auto"}}), "direct, about ",
        " s: precision=auto is set, which fourier does not have");
  like (why (scan (13001, 1, 13001), {}), "direct, about ", " s: fourier takes at most 13000 columns");
}

void messages ()
{
  const auto error = [] (const Format &format, const Properties &properties = {}) {
    return message_of ([&] { expand (format, properties); });
  };
  same (error (scan (10, 1, 16, Element::u16)),
        "wants f32 values, got u16 projections (angle 10, row 1, column 16): put 'flat-field' before it, which turns "
        "counts into attenuation");
  same (error (scan (10, 1, 16, Element::f16)),
        "wants f32 values, got f16 projections (angle 10, row 1, column 16): leave out 'half-pack'; "
        "precision=half-storage rounds filtered rows");
  same (error (slices (Element::f32, {Axis::z, 1}, {Axis::y, 16}, {Axis::x, 16})),
        "wants projections or sinograms, got f32 slices (z 1, y 16, x 16): leave this node out, because slices are "
        "reconstructed already, or correct axes= of 'read'");
  auto filtered = scan (10, 1, 16);
  filtered.filtered_by = "ramp-filter";
  same (error (filtered),
        "filters rows itself, but 'ramp-filter' has filtered them already: leave out that node, or set window=none");
  same (error (scan (10, 1, 16), {{"roi-x", "16"}}), "roi-x=16 is outside the slice of 16 x 16 pixels");
  same (error (scan (10, 1, 16), {{"method", "fourier"}, {"interpolation", "nearest"}}),
        "method=fourier does not have interpolation=nearest: leave it out, or give method=direct or method=auto");
  same (error (scan (10, 1, 16), {{"method", "fourier"}, {"precision", "half"}}),
        "method=fourier does not have precision=half: leave it out, or give method=direct or method=auto");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/reconstruct/parts", parts);
  g_test_add_func ("/reconstruct/estimates-are-near-measurements", estimates_are_near_measurements);
  g_test_add_func ("/reconstruct/break-even-is-where-it-was-measured", break_even_is_where_it_was_measured);
  g_test_add_func ("/reconstruct/estimates-of-a-gpu-are-near-measurements", estimates_of_a_gpu_are_near_measurements);
  g_test_add_func ("/reconstruct/chooses-on-gpus", chooses_on_gpus);
  g_test_add_func ("/reconstruct/chooses", chooses);
  g_test_add_func ("/reconstruct/says-why", says_why);
  g_test_add_func ("/reconstruct/messages", messages);
  return g_test_run ();
}

} // namespace sino::test::reconstruct_test
