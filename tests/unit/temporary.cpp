// SPDX-License-Identifier: LGPL-3.0-or-later
// Files under construction: gone, or complete under their final name, or as they were.
#include "base/temporary.hpp"
#include "base/monitor.hpp"
#include "expect.hpp"
#include "glue/pointers.hpp"
#include <filesystem>
#include <fstream>

using namespace sino;
using test::code_of;
using test::message_of;
using test::same;
namespace fs = std::filesystem;

static std::string read_file (const fs::path &path)
{
  std::ifstream file (path, std::ios::binary);
  return {std::istreambuf_iterator<char> (file), {}};
}

static size_t count_files (const fs::path &folder)
{
  return static_cast<size_t> (std::distance (fs::directory_iterator (folder), {}));
}

static void commit_or_vanish ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path folder = owner.get ();
  const auto final_path = (folder / "out.tif").string ();
  {
    const Temporary part (final_path);
    std::ofstream (part.path ()) << "half";
    g_assert_true (part.path ().ends_with (".part"));
  }
  g_assert_cmpuint (count_files (folder), ==, 0);
  {
    Temporary part (final_path), rival (final_path), late (final_path);
    std::ofstream (part.path ()) << "whole";
    std::ofstream (rival.path ()) << "rival";
    part.commit (false);
    same (read_file (final_path), "whole");
    g_assert_cmpint (code_of ([&] { rival.commit (false); }), ==, SINO_ERROR_EXISTS);
    same (message_of ([&] { rival.commit (false); }),
          text ("'%s' exists: set overwrite=true to replace it", final_path.c_str ()));
    same (read_file (final_path), "whole");
    rival.commit (true);
    same (read_file (final_path), "rival");
  }
  g_assert_cmpuint (count_files (folder), ==, 1);
  same (message_of ([&] { Temporary ((folder / "none" / "x").string ()); }),
        text ("cannot create '%s/none/x': No such file or directory", owner.get ()));
  fs::remove_all (folder);
}

static void folder_goes_with_all_in_it ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path parent = owner.get ();
  {
    const TemporaryFolder one (parent.string ()), two (parent.string ());
    fs::create_directory (one.path () + "/in");
    std::ofstream (one.path () + "/in/file") << "some";
    g_assert_cmpuint (count_files (parent), ==, 2);
  }
  g_assert_cmpuint (count_files (parent), ==, 0);
  same (message_of ([&] { TemporaryFolder ((parent / "none").string ()); }),
        text ("cannot create a folder in '%s/none': No such file or directory", owner.get ()));
  fs::remove_all (parent);
}

static void last_moment () // after this no more files can be made in this process
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path folder = owner.get ();
  Temporary one ((folder / "1").string ()), two ((folder / "2").string ()), three ((folder / "3").string ());
  one.commit (false);
  const TemporaryFolder in (folder.string ());
  std::ofstream (in.path () + "/file") << "some";
  Temporary::remove_all ();
  g_assert_cmpuint (count_files (folder), ==, 1);
  const auto cancelled = [] (const auto &body) {
    try {
      body ();
    } catch (const Cancelled &) {
      return true;
    } catch (const Error &) { // commit () notices that the file is gone first
      return true;
    }
    return false;
  };
  g_assert_true (cancelled ([&] { two.commit (false); }));
  g_assert_true (cancelled ([&] { Temporary ((folder / "4").string ()); }));
  g_assert_true (cancelled ([&] { TemporaryFolder (folder.string ()); }));
  g_assert_cmpuint (count_files (folder), ==, 1);
  fs::remove_all (folder);
}

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/temporary/commit", commit_or_vanish);
  g_test_add_func ("/temporary/folder", folder_goes_with_all_in_it);
  g_test_add_func ("/temporary/last-moment", last_moment);
  return g_test_run ();
}
