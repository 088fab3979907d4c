// SPDX-License-Identifier: LGPL-3.0-or-later
// What a file claims to hold, at the edges of what is believed: nothing overflows on the way to the message.
#include "formats/stack.hpp"
#include "tests/support/expect.hpp"
#include <cstdint>

namespace sino::test::extents_test {

using formats::largest_extent;

static std::string message (int64_t pages, int64_t lines, int64_t columns, Element element = Element::f32)
{
  return message_of ([&] { formats::check_extents ("it", element, pages, lines, columns); });
}

static void edges ()
{
  same (message (1, 1, 1), "(no error)");
  same (message (largest_extent, 1, largest_extent), "(no error)");
  same (message (int64_t{1} << 14, largest_extent, largest_extent), "(no error)"); // 2^60 bytes
  same (message ((int64_t{1} << 14) + 1, largest_extent, largest_extent),
        "it claims to contain 1024 PiB: no file is so large");
  same (message (largest_extent, largest_extent, largest_extent),
        "it claims to contain 262144 PiB: no file is so large");
  same (message (largest_extent + 1, 1, 1), "it has 4194305 x 1 x 1 pixels: at most 4194304 along an axis work");
  for (const auto huge : {INT64_MAX, INT64_MAX - 1, INT64_MAX / 2, int64_t{1} << 32})
    for (const auto &said : {message (huge, huge, huge), message (1, huge, 1), message (1, 1, huge, Element::u8)})
      g_assert_nonnull (strstr (said.c_str (), "at most 4194304 along an axis work"));
}

static void none ()
{
  for (const auto little : {int64_t{0}, int64_t{-1}, INT64_MIN})
    for (const auto &said : {message (little, 1, 1), message (1, little, 1), message (1, 1, little)})
      g_assert_nonnull (strstr (said.c_str (), "this is too small for an image"));
}

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/extents/edges", edges);
  g_test_add_func ("/extents/none", none);
  return g_test_run ();
}

} // namespace sino::test::extents_test
