// SPDX-License-Identifier: LGPL-3.0-or-later
// Lists as text, and numbers, sizes and angles from it.
#include "base/angle.hpp"
#include "run/memory.hpp"
#include "tests/support/expect.hpp"
#include <cmath>

namespace sino::test::text_test {

using Words = std::vector<std::string>;

static void lists ()
{
  same (join (Words{}), "");
  same (join (Words{"a"}), "a");
  same (join (Words{"a", "", "b"}), "a, , b");
  same (join (std::vector{1, 2, 3}, "; ", [] (int n) { return text ("<%d>", n); }), "<1>; <2>; <3>");
  same (join (Words{"a"}, ", ", {}, " and "), "a");
  same (join (Words{"a", "b"}, ", ", {}, " and "), "a and b");
  same (join (Words{"a", "b", "c"}, ", ", {}, " and "), "a, b and c");
  g_assert_true (split ("", ':') == Words{""});
  g_assert_true (split ("a", ':') == Words{"a"});
  g_assert_true (split (":a::b:", ':') == (Words{"", "a", "", "b", ""}));
  for (const char *words : {"", ",", "one,,three", "a,b"})
    same (join (split (words, ','), ","), words);
}

static void numbers ()
{
  g_assert_true (parse_numbers ("0:-1.5:+2e3", ':') == (std::vector<double>{0, -1.5, 2e3}));
  g_assert_true (parse_numbers ("7", ':') == std::vector<double>{7});
  for (const char *wrong : {"", ":", "1:", ":1", "1::2", "1,2", "1: 2", "one:2"})
    g_assert_true (parse_numbers (wrong, ':').empty ());
}

static void limits ()
{
  double bytes = 0, percent = 0;
  g_assert_true (parse_limit ("1.5GiB", bytes));
  g_assert_cmpfloat (bytes, ==, 1.5 * 1024 * 1024 * 1024);
  // The share is one of what is free, above what is taken; both change while this runs.
  g_assert_true (parse_limit ("50%", percent));
  g_assert_cmpfloat (std::abs (percent / (0.5 * available_memory () + resident_memory ()) - 1), <, 0.2);
  for (const char *wrong : {"", "0", "0.5", "-1", "lots", "101%", "512Q"})
    g_assert_false (parse_limit (wrong, bytes));
}

static void angles ()
{
  g_assert_cmpfloat (radians (180), ==, M_PI);
  g_assert_cmpfloat (degrees (M_PI / 2), ==, 90);
}

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/text/lists", lists);
  g_test_add_func ("/text/numbers", numbers);
  g_test_add_func ("/text/limits", limits);
  g_test_add_func ("/text/angles", angles);
  return g_test_run ();
}

} // namespace sino::test::text_test
