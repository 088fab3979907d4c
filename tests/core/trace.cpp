// SPDX-License-Identifier: LGPL-3.0-or-later
// Files of traces.
#include "pass/trace.hpp"
#include "base/pointers.hpp"
#include <filesystem>
#include <fstream>
#include <glib.h>
#include <regex>
#include <string>
#include <vector>

namespace sino::test::trace_test {

using namespace std::chrono_literals;

namespace {

using Times = std::vector<std::pair<double, double>>; // begins and lengths, in microseconds

Times spans_in (const std::filesystem::path &path)
{
  std::ifstream file (path);
  const std::string all{std::istreambuf_iterator<char> (file), {}};
  const std::regex span (R"("ts": ([-.\d]+), "dur": ([-.\d]+),)");
  Times times;
  for (std::sregex_iterator i (all.begin (), all.end (), span), end; i != end; ++i)
    times.emplace_back (g_ascii_strtod ((*i)[1].str ().c_str (), nullptr),
                        g_ascii_strtod ((*i)[2].str ().c_str (), nullptr));
  return times;
}

// Spans that follow soon are one; one that seems to lie earlier, for a device's clock is compared anew, shortens
// nothing.
void test_spans ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const auto path = std::filesystem::path (owner.get ()) / "trace.json";
  {
    Trace trace (path);
    auto *lane = trace.add ("native", "task", 1);
    const auto now = Trace::Clock::now ();
    const auto add = [&] (auto begin, auto end) { lane->add (now + begin, now + end, {}); };
    add (1000us, 1500us);
    add (1510us, 1700us);
    add (600us, 900us);
    add (5000us, 5100us);
    trace.write ();
  }
  const auto times = spans_in (path);
  g_assert_cmpuint (times.size (), ==, 2);
  g_assert_cmpfloat_with_epsilon (times[0].second, 1100, 0.01);
  g_assert_cmpfloat_with_epsilon (times[1].second, 100, 0.01);
  g_assert_cmpfloat_with_epsilon (times[1].first - times[0].first, 4400, 0.01);
  std::filesystem::remove_all (owner.get ());
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/trace/spans", test_spans);
  return g_test_run ();
}

} // namespace sino::test::trace_test
