// SPDX-License-Identifier: LGPL-3.0-or-later
// The store of findings is bounded: those that were not used for longest go, but for what was tuned.
#include "families/findings.hpp"
#include "base/pointers.hpp"
#include "base/text.hpp"
#include <filesystem>

namespace sino::test::findings_test {

using namespace families;
namespace fs = std::filesystem;

static void test_bound ()
{
  const std::string content (1000, 'x');
  const auto path = [] (int i) { return text ("%s/finding-%d", findings_folder ().c_str (), i); };
  const auto now = fs::file_time_type::clock::now ();
  for (int i = 0; i < 8; i++) {
    write_finding (path (i), content);
    fs::last_write_time (path (i), now - std::chrono::hours (100 - i));
  }
  g_assert_true (read_finding (path (1)) == content);    // a use, which makes it the youngest
  const auto tuned = findings_folder () + "/tuned.json"; // a user's minutes: it stays, and does not count
  write_finding (tuned, content);
  fs::last_write_time (tuned, now - std::chrono::hours (1000));
  write_finding (path (8), content, 8500);
  g_assert_true (fs::exists (tuned));
  for (int i = 0; i < 9; i++)
    g_assert_true (fs::exists (path (i)) == (i == 1 || i > 3));
}

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  const CharPtr cache (g_dir_make_tmp (nullptr, nullptr));
  g_setenv ("XDG_CACHE_HOME", cache.get (), TRUE);
  g_test_add_func ("/findings/bound", test_bound);
  const int status = g_test_run ();
  fs::remove_all (cache.get ());
  return status;
}

} // namespace sino::test::findings_test
