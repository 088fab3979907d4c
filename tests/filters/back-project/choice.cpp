// SPDX-License-Identifier: LGPL-3.0-or-later
// Which kernel is chosen on the PoCL that is there, and what of it is kept.
#include "families/choice.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "families/findings.hpp"
#include "families/program.hpp"
#include "families/tuned.hpp"
#include "filters/back-project/opencl/measure.hpp"
#include "tests/filters/back-project/family.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include <deque>
#include <thread>

namespace sino::test::back_project_choice_test {

using namespace families;
using back_project::family, back_project::Interpolation, back_project::measure;

namespace {

std::shared_ptr<const OpenclDevice> device; // PoCL

Problem problem (int lanes, int64_t slices, bool half = false)
{
  return test::problem (lanes, half, Interpolation::linear, false, 64, 50, slices);
}

std::string chosen (int lanes, int64_t slices, const Request &request = {})
{
  const auto choice = choose (*device, family (), problem (lanes, slices), request);
  return choice.setting.text () + text (" %d, ", choice.lanes) + choice.origin;
}

// What is told of free lanes is what runs when these lanes come in.
void test_promise ()
{
  for (const int64_t slices : {1, 2, 3, 4, 5, 1000}) {
    const auto lanes = choose (*device, family (), problem (0, slices)).lanes;
    same (chosen (lanes, slices), chosen (0, slices));
  }
  same (chosen (0, 1), "blocked 4, PoCL");
  same (chosen (0, 3), "blocked 4, PoCL");
  same (chosen (0, 1000), "blocked 16, PoCL");
  same (chosen (4, 1000), "blocked 4, PoCL"); // no entry for four lanes of any device before the family's
}

void test_kept ()
{
  const auto one = problem (0, 1), many = problem (0, 1000);
  const auto keep = [] (const Problem &now, const Setting &found, int lanes, bool given) {
    keep_tuned (*device, family (), now, {found, lanes, {}, {}}, given);
  };
  // Found for given lanes, it counts where these are given.
  keep (many, setting ("reference"), 2, true);
  keep (one, setting ("reference"), 1, true);
  same (chosen (0, 1), "blocked 4, PoCL");
  same (chosen (0, 1000), "blocked 16, PoCL");
  same (chosen (1, 1), "reference 1, tuned on this machine for 1 lane");
  same (chosen (2, 1000), "reference 2, tuned on this machine for 2 lanes");
  same (chosen (8, 1000), "blocked 8, PoCL");
  // Found for any lanes, it counts where it is free to have those that it was found with.
  keep (many, setting ("blocked", "BATCH=8"), 8, false);
  same (chosen (0, 1000), "blocked(BATCH=8) 8, tuned on this machine");
  same (chosen (8, 1000), "blocked(BATCH=8) 8, tuned on this machine");
  same (chosen (16, 1000), "blocked 16, PoCL");
  same (chosen (0, 3), "blocked 4, PoCL");
  // The last one counts, of whichever kind.
  keep (many, setting ("blocked", "TILE=32"), 8, true);
  same (chosen (0, 1000), "blocked(TILE=32) 8, tuned on this machine for 8 lanes");
  same (chosen (8, 1000), "blocked(TILE=32) 8, tuned on this machine for 8 lanes");
  keep (many, setting ("blocked", "BATCH=8"), 8, false);
  same (chosen (8, 1000), "blocked(BATCH=8) 8, tuned on this machine");
}

// Who tunes something else at the same time loses nothing.
void test_kept_at_once ()
{
  std::vector<std::thread> threads;
  std::vector<std::pair<Problem, int>> all;
  for (const bool many : {false, true})
    for (const bool half : {false, true})
      for (const int lanes : {1, 2, 4, 8})
        all.push_back ({test::situation (many, Interpolation::nearest, half), lanes});
  for (const auto &entry : all)
    threads.emplace_back ([&entry] {
      keep_tuned (*device, family (), entry.first, {setting ("reference"), entry.second, {}, {}}, true);
    });
  for (auto &thread : threads)
    thread.join ();
  for (const auto &[situation, lanes] : all)
    g_assert_true (tuned (*device, family (), situation.with_lanes (lanes)).has_value ());
}

void test_formats ()
{
  for (const int lanes : {1, 2, 4})
    for (const bool half : {false, true}) {
      const auto why = refusal (*device, setting ("texture"), problem (lanes, 4, half));
      if (image_format (*device, {64, 50, lanes, half}))
        same (why, "");
      else
        same (why, text ("needs images of %s %s, a format that the device does not have",
                         lanes == 1   ? "R"
                         : lanes == 2 ? "RG"
                                      : "RGBA",
                         half ? "half" : "float"));
    }
  if (image_format (*device, {64, 50, 2, false}))
    return g_test_skip ("it has RG float");
  // Asked for by name it has the lanes that it can have; told which, it says why not.
  if (is_drawn (0, 2))
    g_assert_true (chosen (0, 1000, {"texture", ""}).starts_with ("texture "));
  if (is_drawn (1, 2))
    g_assert_true (chosen (0, 1000, {"texture", "BATCH=64"}).starts_with ("texture(BATCH=64) "));
  same (message_of ([] {
          chosen (2, 1000, {"texture", ""});
        }),
        "no kernel on " + device->id + " (" + device->name +
            ") can do this with variant=texture:\n  texture with 2 lanes: needs images of RG float, a format that the "
            "device does not have");
}

// What may be otherwise tomorrow is not kept.
void test_findings ()
{
  int asked = 0;
  const auto path = [] (const char *question) { return finding_path (*device, "test", {question}); };
  const auto ask = [&] (const char *question, bool lasting) {
    return find_out (path (question),
                     [&] {
                       asked++;
                       return Finding{text ("answer %d", asked), lasting};
                     })
        .text;
  };
  same (ask ("passing", false), "answer 1");
  same (ask ("passing", false), "answer 2");
  same (read_finding (path ("passing")), "");
  same (ask ("lasting", true), "answer 3");
  same (ask ("lasting", true), "answer 3");
  // What is damaged is asked again.
  for (const char *damaged : {"", "answer 3", "{", "\nanswer 3"}) {
    const auto other = path (text ("damaged %s", damaged).c_str ());
    write_finding (other, damaged);
    const auto answer = find_out (other, [] { return Finding{"anew", true}; });
    same (answer.text, "anew");
    g_assert_true (read_finding (other).ends_with ("\nanew"));
  }
}

// What fails once is tried again, so that which kernel runs does not depend on how busy the device was.
namespace doubt {

int trials, good, failures; // so many; of those that go well, and of those that fail after them

bool strikes ()
{
  const int number = trials++;
  return number >= good && number < good + failures;
}

double refused (const OpenclDevice &on, const Setting &setting, const Problem &small)
{
  if (strikes ())
    fail (SINO_ERROR_DEVICE, "clEnqueueMarkerWithWaitList: out of resources");
  return family ().trial (on, setting, small);
}

double flipped (const OpenclDevice &on, const Setting &setting, const Problem &small)
{
  return strikes () ? 1 : family ().trial (on, setting, small);
}

Family &named (const char *name)
{
  static std::deque<Family> all; // tables of kernels stay for a family
  auto &strange = all.emplace_back (family ());
  strange.name = name; // whose findings are others
  return strange;
}

Choice struck (Family &strange, decltype (Family::trial) trial, int number, int after = 0)
{
  strange.trial = trial;
  trials = 0;
  good = after;
  failures = number;
  auto choice = choose (*device, strange, problem (0, 1000));
  g_assert_cmpint (trials, >=, number + std::max (after, 1));
  // What is not kept is asked again, and answered otherwise now.
  g_assert_false (choose (*device, strange, problem (0, 1000)).for_now);
  return choice;
}

void test ()
{
  const auto usual = choose (*device, family (), problem (0, 1000));
  for (const auto &once : {struck (named ("refused-once"), refused, 1), struck (named ("flipped-once"), flipped, 1)}) {
    same (once.setting.text (), usual.setting.text ());
    g_assert_true (once.rejected.size () == usual.rejected.size ());
    g_assert_false (once.for_now);
  }
  const auto refused_twice = struck (named ("refused-twice"), refused, 2);
  g_assert_true (refused_twice.for_now);
  g_assert_true (refused_twice.rejected[0].ends_with (": clEnqueueMarkerWithWaitList: out of resources"));
  const auto flipped_twice = struck (named ("flipped-twice"), flipped, 2);
  g_assert_false (flipped_twice.for_now);
  g_assert_true (
      flipped_twice.rejected[0].ends_with (": its results are wrong on this device, with a relative error of 1"));
  // What was tuned for the lanes alone is passed over, too, or is tuned for other lanes than usual.
  for (const auto &[name, lanes, after] : {std::tuple ("tuned-refused", 16, 1), {"tuned-for-others", 8, 0}}) {
    auto &strange = named (name);
    keep_tuned (*device, strange, problem (0, 1000), {setting ("blocked", "TILE=32"), lanes, {}, {}}, true);
    const auto choice = struck (strange, refused, 2, after);
    g_assert_true (choice.for_now);
    g_assert_true (choice.rejected[0].ends_with (": clEnqueueMarkerWithWaitList: out of resources"));
  }
}

} // namespace doubt

void test_measure ()
{
  const auto facts = device->facts ();
  for (const bool many : test::drawn<bool> ({false, true}, 2)) {
    const auto situation = test::situation (many, Interpolation::linear, false);
    const auto measured = measure (family (), *device, situation);
    g_assert_cmpfloat (measured.updates, >, 1e6);
    g_assert_cmpfloat (measured.updates, <, 1e12);
    g_assert_cmpfloat (measure (family (), *device, situation).updates, ==, measured.updates); // kept
  }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  g_setenv ("XDG_CACHE_HOME", owner.get (), TRUE);
  for (const auto &each : opencl_devices ())
    if (!device && each->facts ().vendor == "pocl")
      device = each;
  if (!device) {
    printf ("1..0 # SKIP no PoCL\n");
    return 0;
  }
  g_test_add_func ("/choice/promise", test_promise);
  g_test_add_func ("/choice/formats", test_formats);
  g_test_add_func ("/choice/findings", test_findings);
  g_test_add_func ("/choice/doubt", doubt::test);
  g_test_add_func ("/choice/measure", test_measure);
  g_test_add_func ("/choice/kept-at-once", test_kept_at_once);
  g_test_add_func ("/choice/kept", test_kept);
  return g_test_run ();
}

} // namespace sino::test::back_project_choice_test
