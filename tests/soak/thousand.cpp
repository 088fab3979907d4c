// SPDX-License-Identifier: LGPL-3.0-or-later
// A thousand short runs in one process, good ones and bad ones: memory, open files and threads become no more.
#include <cstdlib>
#include <filesystem>
#include <malloc.h>
#include <sinograph.h>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 1000, settled = 200; // by then allocators and drivers have what they keep
constexpr size_t bytes_per_run = 256;       // that memory in use may grow by: less than any object of a run

struct Counts {
  size_t bytes;
  long files, threads;
};

long count (const char *folder)
{
  namespace fs = std::filesystem;
  return static_cast<long> (std::distance (fs::directory_iterator (folder), fs::directory_iterator ()));
}

Counts counts ()
{
  const auto memory = mallinfo2 ();
  return {memory.uordblks + memory.hblkhd, count ("/proc/self/fd"), count ("/proc/self/task")};
}

void run (const std::string &line, const char *device, bool good)
{
  g_autoptr (GError) error = nullptr;
  g_autoptr (SinoGraph) graph = sino_graph_new_from_launch (line.c_str (), &error);
  g_assert_no_error (error);
  g_autoptr (SinoRunner) runner = sino_runner_new ();
  g_object_set (runner, "device", device, "threads", 2U, nullptr);
  const bool ended = sino_runner_run (runner, graph, nullptr, &error);
  if (good)
    g_assert_no_error (error);
  else
    g_assert_nonnull (error);
  g_assert_true (ended == good);
}

void test_thousand ()
{
  g_autofree char *folder = g_dir_make_tmp (nullptr, nullptr);
  const auto out = std::string (folder) + "/";
  const std::string scan = "simulate object=shepp-logan-3d width=32 height=6 projections=20 ";
  struct Case {
    std::string line;
    bool good;
  };
  const std::vector<Case> cases{
      {scan + "! reconstruct method=direct ! write overwrite=true path=" + out + "s-%03i.tif", true},
      {scan + "type=u16 darks=2 flats=2 ! flat-field ! reconstruct method=fourier ! write overwrite=true path=" + out +
           "v.mhd",
       true},
      {scan + "angles=0:360 source-origin=100 origin-detector=50 ! reconstruct ! null", true},
      {scan + "! reconstruct ! write path=/proc/no-such-folder/v.mhd", false},
      {"read path=" + out + "not-there.tif ! null", false}};
  Counts before{};
  for (int i = 0; i < rounds; i++) {
    const auto &one = cases[static_cast<size_t> (i) % cases.size ()];
    run (one.line, "native", one.good);
    if (i == settled)
      before = counts ();
  }
  const auto after = counts ();
  g_test_message ("%zu bytes, %ld files, %ld threads after %d runs; %zu, %ld, %ld after %d", before.bytes, before.files,
                  before.threads, settled, after.bytes, after.files, after.threads, rounds);
  g_assert_cmpint (after.files, <=, before.files);
  g_assert_cmpint (after.threads, <=, before.threads);
  g_assert_cmpuint (after.bytes, <=, before.bytes + bytes_per_run * (rounds - settled));
  std::filesystem::remove_all (folder);
}

} // namespace

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/soak/thousand", test_thousand);
  return g_test_run ();
}
