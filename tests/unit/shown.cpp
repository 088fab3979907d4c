// SPDX-License-Identifier: LGPL-3.0-or-later
// Words from outside in messages, and that messages are printed as printf does it.
#include "base/shown.hpp"
#include "base/text.hpp"
#include "tests/support/expect.hpp"
#include <cstdint>

namespace sino::test::shown_test {

using namespace std::string_view_literals;

static void escapes ()
{
  same (shown ("a/b c.tif"), "a/b c.tif");
  same (shown ("Grüße_日本.tif"), "Grüße_日本.tif");
  same (shown ("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  same (shown ("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
  same (shown ("\0a"sv), "\\x00a");
  same (shown ("\xff\xc3(\xe2\x80"), "\\xff\\xc3(\\xe2\\x80");
  same (shown ("\xed\xa0\x80\xf4\x90\x80\x80"), "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"); // a surrogate, beyond Unicode
  same (shown ("\u009b31m\u202e\u2028\ufeff"), "\\u009b31m\\u202e\\u2028\\ufeff");
  same (shown (shown ("\\\n")), "\\\\n");
  same (shown (""), "");
  same (shown_lines ("a\n\tb\x1b\n"), "a\n\tb\\x1b\n");
  same (in_quotes ("a\nb"), "'a\\nb'");
}

static void messages ()
{
  same (text ("'%s' %s=%s: %s", "a\n", "b", "c\n", "d\n"), "'a\\n' b=c\\n: d\n");
  same (text ("'%.3s' '%-4s' '%*s'", "abcd", "ab", 3, "a"), "'abc' 'ab  ' '  a'");
  same (text ("%d %i %5d %-5d| %03d %+d %x %04X %o %u %c", -1, 2, 3, 4, 5, 6, 255, 255, 8, 9u, 'c'),
        "-1 2     3 4    | 005 +6 ff 00FF 10 9 c");
  same (text ("%" G_GINT64_FORMAT " %ld %lu %lld %zu %td %jd", INT64_MIN, -1L, ~0UL, -2LL, size_t{3}, ptrdiff_t{-4},
              intmax_t{-5}),
        "-9223372036854775808 -1 18446744073709551615 -2 3 -4 -5");
  same (text ("%g %.3f %6.2f|%.*f %e %G", 0.1, 1.0, 2.5, 1, 3.25, 1e10, 1e-10),
        "0.1 1.000   2.50|3.2 1.000000e+10 1E-10");
  same (text ("100 %% of %s, %s%%", "it", "all"), "100 % of it, all%");
  same (text ("%s", std::string (10000, 'x').c_str ()), std::string (10000, 'x'));
  same (text ("%.0f", 1e300).substr (0, 5), "10000");
  same (text ("%s", ""), "");
}

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/shown/escapes", escapes);
  g_test_add_func ("/shown/messages", messages);
  return g_test_run ();
}

} // namespace sino::test::shown_test
