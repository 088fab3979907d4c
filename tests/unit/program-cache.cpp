// SPDX-License-Identifier: LGPL-3.0-or-later
// Programs are kept on the disk; what is damaged there is as good as absent, and what cannot be kept does no harm.
#include "device/program-cache.hpp"
#include "base/pointers.hpp"
#include "device/opencl.hpp"
#include "tests/support/expect.hpp"
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace sino::test::program_cache_test {

namespace fs = std::filesystem;

namespace {

fs::path folder;

void write_file (const fs::path &path, const std::string &content)
{
  std::ofstream (path, std::ios::binary) << content;
}

std::string read_file (const fs::path &path)
{
  std::ifstream file (path, std::ios::binary);
  return {std::istreambuf_iterator<char> (file), {}};
}

// Another one once the file was written again.
uint64_t number_of (const fs::path &path)
{
  struct stat about {
  };
  g_assert_cmpint (stat (path.c_str (), &about), ==, 0);
  return about.st_ino;
}

// What was used last stays.
void test_bound ()
{
  fs::remove_all (folder);
  const ProgramBinary binary (1000, 7);
  const auto key = [] (int i) { return program_key ({"bound", std::to_string (i)}); };
  const auto used = fs::file_time_type::clock::now ();
  for (int i = 0; i < 8; i++) {
    keep_program (key (i), binary, 1000000);
    fs::last_write_time (folder / key (i), used - std::chrono::hours (100 - i));
  }
  g_assert_true (load_program (key (1)) == binary); // a use, which makes it the youngest
  keep_program (key (8), binary, 8500);
  for (int i = 0; i < 9; i++)
    g_assert_true ((load_program (key (i)) == binary) == (i == 1 || i > 4 || i == 8));
}

void test_keys ()
{
  g_assert_true (program_key ({"a", "bc"}) == program_key ({"a", "bc"}));
  g_assert_true (program_key ({"a", "bc"}) != program_key ({"ab", "c"}));
  g_assert_true (program_key ({"a"}) != program_key ({"a", ""}));
}

void test_damage ()
{
  const ProgramBinary binary{1, 2, 0, '\n', 255};
  const auto key = program_key ({"damage"});
  const auto path = folder / key;
  g_assert_true (load_program (key).empty ());
  keep_program (key, binary);
  g_assert_true (load_program (key) == binary);
  const auto whole = read_file (path);
  for (const auto &content : {std::string (), whole.substr (0, 30), whole.substr (0, whole.size () - 1), whole + "x",
                              "x" + whole, std::string (100000, '\0')}) {
    write_file (path, content);
    g_assert_true (load_program (key).empty ());
  }
  keep_program (key, binary);
  g_assert_true (load_program (key) == binary);
  fs::remove (path);
  fs::create_directory (path);
  g_assert_true (load_program (key).empty ());
  keep_program (key, binary); // a folder is in the way
  g_assert_true (load_program (key).empty ());
}

// Whoever comes first, every reader sees a whole entry or none.
void test_many_at_once ()
{
  const auto key = program_key ({"many"});
  std::vector<std::thread> threads;
  for (unsigned char i = 1; i <= 4; i++)
    threads.emplace_back ([&, i] {
      const ProgramBinary mine (100000, i);
      for (int k = 0; k < 20; k++) {
        keep_program (key, mine);
        const auto got = load_program (key);
        g_assert_cmpuint (got.size (), ==, 100000);
        for (const auto byte : got)
          g_assert_cmpint (byte, ==, got[0]);
      }
    });
  for (auto &thread : threads)
    thread.join ();
}

// A built program comes from the disk the next time, unless what lies there is no program.
void test_device ()
{
  if (opencl_devices ().empty ()) {
    g_test_skip ("no OpenCL device");
    return;
  }
  const auto &device = *opencl_devices ()[0];
  const std::string source = "kernel void fill (global int *out) { *out = NUMBER; }";
  const auto answer = [&] (const char *options) {
    const cl::Buffer out (device.context (), CL_MEM_READ_WRITE, sizeof (cl_int));
    cl::Kernel kernel (device.build ("fill.cl", source, options), "fill");
    kernel.setArg (0, out);
    const cl::CommandQueue queue (device.context (), device.device);
    queue.enqueueNDRangeKernel (kernel, cl::NullRange, cl::NDRange (1));
    cl_int value = 0;
    queue.enqueueReadBuffer (out, CL_TRUE, 0, sizeof value, &value);
    return value;
  };
  fs::remove_all (folder);
  g_assert_cmpint (answer ("-DNUMBER=42"), ==, 42);
  g_assert_cmpint (std::distance (fs::directory_iterator (folder), {}), ==, 1);
  const auto path = fs::directory_iterator (folder)->path ();
  const auto written = number_of (path);
  g_assert_cmpint (answer ("-DNUMBER=42"), ==, 42);
  g_assert_cmpuint (number_of (path), ==, written);
  g_assert_cmpint (answer ("-DNUMBER=43"), ==, 43);
  g_assert_cmpint (std::distance (fs::directory_iterator (folder), {}), ==, 2);

  keep_program (path.filename (), {'n', 'o', ' ', 'p', 'r', 'o', 'g', 'r', 'a', 'm'}); // with a right checksum
  g_assert_cmpint (answer ("-DNUMBER=42"), ==, 42);
  g_assert_cmpuint (fs::file_size (path), >, 100); // built again, and kept

  fs::remove_all (folder);
  write_file (folder, "a file where the folder should be");
  g_assert_cmpint (answer ("-DNUMBER=44"), ==, 44);
  fs::remove (folder);
  test::same (
      test::message_of ([&] { device.build ("bad.cl", "\nkernel void bad () { none (); }", ""); }).substr (0, 34),
      "kernel 'bad.cl' does not build on ");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  const CharPtr owner (g_dir_make_tmp (nullptr, nullptr));
  g_setenv ("XDG_CACHE_HOME", owner.get (), TRUE);
  folder = fs::path (owner.get ()) / "sinograph" / "programs";
  g_test_add_func ("/program-cache/keys", test_keys);
  g_test_add_func ("/program-cache/damage", test_damage);
  g_test_add_func ("/program-cache/many-at-once", test_many_at_once);
  g_test_add_func ("/program-cache/bound", test_bound);
  g_test_add_func ("/program-cache/device", test_device);
  const int status = g_test_run ();
  fs::remove_all (owner.get ());
  return status;
}

} // namespace sino::test::program_cache_test
