// SPDX-License-Identifier: LGPL-3.0-or-later
// Files that several threads write at offsets: on a disk, and in memory, where they map what they would wait for.
#include "formats/descriptor.hpp"
#include "tests/support/expect.hpp"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace sino::test::descriptor_test {

using namespace formats;
namespace fs = std::filesystem;

namespace {

// A folder that goes with all that is in it, in memory where it is a mount of tmpfs with so many bytes.
class Folder
{
public:
  const fs::path path;

  explicit Folder (const fs::path &parent = fs::temp_directory_path ())
      : path (parent / text ("sinograph-descriptor-%d", getpid ()))
  {
    fs::create_directory (path);
  }
  ~Folder ()
  {
    if (mounted)
      umount2 (path.c_str (), MNT_DETACH);
    fs::remove_all (path);
  }
  Folder (const Folder &) = delete;
  Folder &operator= (const Folder &) = delete;

  // False where only root may.
  bool mount_memory (size_t bytes)
  {
    return mounted = mount ("tmpfs", path.c_str (), "tmpfs", 0, text ("size=%zu", bytes).c_str ()) == 0;
  }
  std::string file (const char *name) const { return (path / name).string (); }

private:
  bool mounted = false;
};

std::vector<std::byte> values (size_t n)
{
  std::vector<std::byte> list (n);
  uint32_t state = 1;
  for (auto &value : list)
    value = static_cast<std::byte> ((state = state * 1664525 + 1013904223) >> 24);
  return list;
}

std::vector<std::byte> content (const std::string &path)
{
  std::vector<std::byte> list (fs::file_size (path));
  std::ifstream (path, std::ios::binary)
      .read (reinterpret_cast<char *> (list.data ()), static_cast<std::streamsize> (list.size ()));
  return list;
}

void in_threads (int number, const std::function<void (size_t)> &body)
{
  std::vector<std::thread> threads;
  for (int i = 0; i < number; i++)
    threads.emplace_back (body, static_cast<size_t> (i));
  for (auto &thread : threads)
    thread.join ();
}

// Parts that begin anywhere, so that neighbours share pages, and more than are mapped at a time.
void parts (const Folder &folder)
{
  constexpr size_t head = 2345, part = Descriptor::mapped_at_once + 4097, number = 12;
  const auto data = values (part * number);
  for (const int threads : {1, 4}) {
    const auto path = folder.file ("parts");
    {
      Descriptor file (path, O_RDWR | O_CREAT | O_TRUNC);
      file.expect (head + part * number);
      file.reserve ();
      g_assert_cmpint (file.size (), ==, head + part * number);
      std::atomic<size_t> next = 0;
      in_threads (threads, [&] (size_t) {
        for (auto i = next++; i < number; i = next++)
          file.write (data.data () + i * part, part, static_cast<int64_t> (head + i * part));
      });
    }
    auto wanted = data;
    wanted.insert (wanted.begin (), head, std::byte{0});
    g_assert_true (content (path) == wanted);
  }
}

void on_disk ()
{
  parts (Folder ());
}

void in_memory ()
{
  if (!kept_in_memory ("/dev/shm/x"))
    return g_test_skip ("/dev/shm is no file system in memory");
  const Folder folder ("/dev/shm");
  parts (folder);
  g_assert_true (kept_in_memory (folder.file ("not/there/yet.h5")));
}

// No space for all of it is told before the work, and takes none; what was there already counts.
void too_small ()
{
  Folder folder;
  if (!folder.mount_memory (1 << 20))
    return g_test_skip ("mounts need root");
  const auto path = folder.file ("large.h5");
  Descriptor file (path, O_RDWR | O_CREAT);
  file.expect (5 << 20);
  same (message_of ([&] { file.reserve (); }),
        "no space for '" + path + "': it needs 5.0 MiB, No space left on device");
  g_assert_cmpint (file.size (), ==, 0);
  file.expect (1 << 20);
  file.reserve ();
  struct stat status {
  };
  g_assert_cmpint (stat (path.c_str (), &status), ==, 0);
  g_assert_cmpint (status.st_blocks, ==, 0); // nothing was touched
  const auto data = values (1 << 20);
  file.write (data.data (), data.size (), 0);
  file.reserve ();
  g_assert_true (content (path) == data);
}

// Others may take the space while it is filled: that is an error in every thread, and no signal.
void taken_meanwhile ()
{
  Folder folder;
  if (!folder.mount_memory (8 << 20))
    return g_test_skip ("mounts need root");
  const auto path = folder.file ("scan.h5");
  Descriptor file (path, O_RDWR | O_CREAT);
  file.expect (6 << 20);
  file.reserve ();
  const auto data = values (4 << 20);
  Descriptor other (folder.file ("other"), O_RDWR | O_CREAT);
  other.write (data.data (), data.size (), 0);
  std::atomic<int> codes = 0;
  in_threads (4, [&] (size_t i) {
    const auto part = size_t{3} << 19; // 1.5 MiB each, of which 4 MiB find place
    codes += code_of ([&] { file.write (data.data (), part, static_cast<int64_t> (i * part)); }) == SINO_ERROR_NO_SPACE;
  });
  g_assert_cmpint (codes, >=, 1);
  same (message_of ([&] {
          for (int64_t i = 0; i < 6; i++)
            file.write (data.data (), 1 << 20, i << 20);
        }),
        "no space for '" + path + "': it needs 6.0 MiB, No space left on device");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/descriptor/on-disk", on_disk);
  g_test_add_func ("/descriptor/in-memory", in_memory);
  g_test_add_func ("/descriptor/too-small", too_small);
  g_test_add_func ("/descriptor/taken-meanwhile", taken_meanwhile);
  return g_test_run ();
}

} // namespace sino::test::descriptor_test
