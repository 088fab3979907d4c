// SPDX-License-Identifier: LGPL-3.0-or-later
// Files under construction: gone, or complete under their final name, or as they were.
#include "base/files/temporary.hpp"
#include "base/files/claim.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include "base/files/pending.hpp"
#include "base/files/temporary-folder.hpp"
#include "base/monitor.hpp"
#include "base/pointers.hpp"
#include "tests/support/expect.hpp"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sino::test::temporary_test {

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

// The folders that fsync was called for: this one takes the system's place.
static std::vector<fs::path> synced;

extern "C" int fsync (int file)
{
  struct stat status {
  };
  if (fstat (file, &status) == 0 && S_ISDIR (status.st_mode))
    synced.push_back (fs::read_symlink (text ("/proc/self/fd/%d", file)));
  return static_cast<int> (syscall (SYS_fsync, file));
}

// A name that a file has is on the disk, and so are folders that were made for it.
static void names_are_brought_to_the_disk ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path folder = fs::canonical (owner.get ());
  const auto was_synced = [] (const fs::path &path) { return std::count (synced.begin (), synced.end (), path) > 0; };
  synced.clear ();
  Temporary ((folder / "a").string ()).commit (false);
  g_assert_true (was_synced (folder));
  synced.clear ();
  Temporary ((folder / "b").string ()).commit (false, Temporary::Sync::later);
  g_assert_true (synced.empty ());
  sync_folder (folder.string ());
  g_assert_true (was_synced (folder));
  synced.clear ();
  {
    MadeFolders made ((folder / "new" / "deep" / "c").string ());
    Temporary ((folder / "new" / "deep" / "c").string ()).commit (false);
    made.keep ();
  }
  g_assert_true (was_synced (folder) && was_synced (folder / "new") && was_synced (folder / "new" / "deep"));
  fs::remove_all (folder);
}

static void made_folders_go_when_they_are_empty ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path folder = owner.get ();
  {
    const MadeFolders outer ((folder / "a" / "b" / "file").string ());
    const MadeFolders inner ((folder / "a" / "b" / "c" / "d" / "file").string ());
    g_assert_true (fs::is_directory (folder / "a" / "b" / "c" / "d"));
  }
  g_assert_cmpuint (count_files (folder), ==, 0);
  {
    const MadeFolders made ((folder / "a" / "b" / "file").string ());
    std::ofstream (folder / "a" / "other") << "of somebody else";
  }
  g_assert_true (fs::exists (folder / "a" / "other") && !fs::exists (folder / "a" / "b"));
  // Folders go also when another file in them goes last, and not when that one stays.
  for (const bool stays : {false, true}) {
    auto first = std::make_unique<MadeFolders> ((folder / "e" / "f" / "file").string ());
    auto second = std::make_unique<MadeFolders> ((folder / "e" / "f" / "another").string ());
    std::ofstream (folder / "e" / "f" / "another") << "half";
    first.reset ();
    g_assert_true (fs::exists (folder / "e" / "f" / "another"));
    if (stays)
      second->keep ();
    else
      fs::remove (folder / "e" / "f" / "another");
    second.reset ();
    g_assert_true (fs::exists (folder / "e") == stays);
  }
  // Folders go also that were made before one that cannot be.
  const auto long_name = std::string (256, 'x');
  same (message_of ([&] { MadeFolders ((folder / "outer" / long_name / "file").string ()); }),
        text ("cannot make the folder '%s/outer/%s': File name too long", owner.get (), long_name.c_str ()));
  g_assert_false (fs::exists (folder / "outer"));
  fs::remove_all (folder);
}

// Nobody can claim what is being removed, nor remove what is claimed.
static void abandoned_files_are_locked_until_they_are_gone ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path folder = owner.get ();
  const auto path = (folder / "left.part").string ();
  std::ofstream (path) << "half";
  const auto never = [] () -> bool { g_assert_not_reached (); };
  const auto claim = remove_if_gone (path, [&] {
    g_assert_true (remove_if_gone (path, never) == Claim::held);
    return unlink (path.c_str ()) == 0;
  });
  g_assert_true (claim == Claim::gone && !fs::exists (path));
  {
    const Temporary part ((folder / "out").string ());
    g_assert_true (remove_if_gone (part.path (), never) == Claim::held);
    g_assert_true (fs::exists (part.path ()));
  }
  g_assert_true (remove_if_gone (path, never) == Claim::held); // there is nothing to remove
  const TemporaryFolder at_work (folder.string ());
  fs::create_directory (folder / "sinograph-123456");
  std::ofstream (folder / "sinograph-123456" / ".sinograph") << "";
  const auto gone = TemporaryFolder::remove_abandoned (folder.string ());
  g_assert_true (gone == std::vector<std::string>{(folder / "sinograph-123456").string ()});
  g_assert_true (fs::exists (at_work.path ()) && !fs::exists (gone[0]));
  fs::remove_all (folder);
}

// What cannot be removed is not told as removed. Root can, and becomes another user for it.
static void abandoned_files_that_stay ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path folder = owner.get ();
  const auto unfinished = folder / "volume.zarr.1-2.part", file = folder / "out.tif.1-2.part";
  for (const auto &left : {unfinished, folder / "sinograph-123456"}) {
    fs::create_directory (left);
    std::ofstream (left / ".sinograph") << "";
    fs::permissions (left / ".sinograph", fs::perms (0666));
    fs::permissions (left, fs::perms (0555));
  }
  std::ofstream (file) << "half";
  fs::permissions (file, fs::perms (0666));
  fs::permissions (folder, fs::perms (0555));
  constexpr uid_t stranger = 61234;
  const bool root = geteuid () == 0;
  g_assert_true (!root || seteuid (stranger) == 0);
  const auto told = remove_abandoned ({(folder / "volume.zarr").string (), (folder / "out.tif").string ()});
  const auto gone = TemporaryFolder::remove_abandoned (folder.string ());
  g_assert_true (!root || seteuid (0) == 0);
  g_assert_true (told.empty () && gone.empty ());
  g_assert_cmpuint (count_files (folder), ==, 3);
  fs::permissions (folder, fs::perms (0755));
  for (const auto &left : fs::directory_iterator (folder))
    fs::permissions (left, fs::perms (0755));
  fs::remove_all (folder);
}

static void names_of_parts ()
{
  const auto name = [] (const std::string &final_path) {
    return fs::path (part_path (final_path, 7)).filename ().string ();
  };
  for (const auto &final_name : {std::string ("a.tif"), std::string (255, 'x'), std::string ("p.1-2.part")}) {
    g_assert_true (is_part_of (name ("/folder/" + final_name), final_name));
    g_assert_cmpuint (name (final_name).size (), <=, 255);
    g_assert_false (is_part_of (final_name, final_name));
  }
  for (const char *other : {"a.tif.part", "a.tif.1.part", "a.tif.1-.part", "a.tif.-1-2.part", "a.tif.01-2.part",
                            "a.tif.1-2.part.part", "ba.tif.1-2.part", "a.tif1-2.part", "a.tif.99999999999-1.part"})
    g_assert_false (is_part_of (other, "a.tif"));
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

static void unfinished_folder ()
{
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  const fs::path parent = owner.get ();
  const auto final_path = (parent / "volume.zarr").string ();
  const auto fill = [] (const UnfinishedFolder &folder, const char *text) {
    fs::create_directory (folder.path () + "/in");
    std::ofstream (folder.path () + "/in/file") << text;
  };
  {
    const UnfinishedFolder one (final_path);
    fill (one, "half");
    g_assert_true (UnfinishedFolder::remove_if_gone (one.path ()) == Claim::held);
    g_assert_true (fs::exists (one.path () + "/in/file") && !fs::exists (final_path));
  }
  g_assert_cmpuint (count_files (parent), ==, 0);
  {
    UnfinishedFolder one (final_path), two (final_path);
    fill (one, "first");
    fill (two, "second");
    one.commit (false);
    same (message_of ([&] { two.commit (false); }),
          text ("'%s' exists: set overwrite=true to replace it", final_path.c_str ()));
    same (read_file (final_path + "/in/file"), "first");
    two.commit (true);
    // Until the old one is gone, the next run would know it.
    same (read_file (two.path () + "/in/file"), "first");
    g_assert_true (fs::exists (two.path () + "/.sinograph"));
    g_assert_false (fs::exists (final_path + "/.sinograph"));
    g_assert_true (UnfinishedFolder::remove_if_gone (two.path ()) == Claim::held);
  }
  same (read_file (final_path + "/in/file"), "second");
  g_assert_cmpuint (count_files (parent), ==, 1);
  g_assert_cmpuint (count_files (final_path), ==, 1);

  {
    UnfinishedFolder one (final_path);
    fill (one, "third");
    fs::remove (one.path () + "/.sinograph");
    same (message_of ([&] { one.commit (true); }),
          text ("files of '%s' were removed during writing: write it again", final_path.c_str ()));
  }
  same (read_file (final_path + "/in/file"), "second");

  // What a process that was killed has left.
  const auto left = parent / "volume.zarr.1-2.part";
  fs::create_directory (left);
  std::ofstream (left / ".sinograph") << "";
  std::ofstream (left / "half") << "";
  g_assert_true (remove_abandoned ({final_path}) ==
                 std::vector{text ("removed '%s', which was left by an interrupted run", left.c_str ())});
  g_assert_false (fs::exists (left));
  same (message_of ([&] { UnfinishedFolder ((parent / "none" / "x").string ()); }),
        text ("cannot create '%s/none/x': No such file or directory", owner.get ()));

  const auto all = [] (const std::string &) { return true; };
  const auto none = [] (const std::string &) { return false; };
  check_output_folder (final_path, true, "A", all);
  same (message_of ([&] { check_output_folder (final_path, false, "A", all); }),
        text ("'%s' exists: set overwrite=true to replace it", final_path.c_str ()));
  same (message_of ([&] { check_output_folder (final_path, true, "A", none); }),
        text ("'%s' is a folder that contains other files than A: give path= another name", final_path.c_str ()));
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
  const UnfinishedFolder unfinished ((folder / "volume").string ());
  std::ofstream (unfinished.path () + "/file") << "some";
  const MadeFolders made ((folder / "new" / "deep" / "5").string ());
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

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/temporary/commit", commit_or_vanish);
  g_test_add_func ("/temporary/names-on-disk", names_are_brought_to_the_disk);
  g_test_add_func ("/temporary/made-folders", made_folders_go_when_they_are_empty);
  g_test_add_func ("/temporary/abandoned", abandoned_files_are_locked_until_they_are_gone);
  g_test_add_func ("/temporary/abandoned-that-stay", abandoned_files_that_stay);
  g_test_add_func ("/temporary/names-of-parts", names_of_parts);
  g_test_add_func ("/temporary/folder", folder_goes_with_all_in_it);
  g_test_add_func ("/temporary/unfinished-folder", unfinished_folder);
  g_test_add_func ("/temporary/last-moment", last_moment);
  return g_test_run ();
}

} // namespace sino::test::temporary_test
