// SPDX-License-Identifier: LGPL-3.0-or-later
// Feeds a target the files of a corpus, for builds without libFuzzer: what once was wrong stays right.
#include "tests/fuzz/target.hpp"
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

int main (int argc, char **argv)
{
  LLVMFuzzerInitialize (&argc, &argv);
  std::set<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator (argv[1]))
    files.insert (entry.path ());
  printf ("1..%zu\n", files.size ());
  size_t number = 0;
  for (const auto &path : files) {
    std::ifstream file (path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char> (file), {}};
    fflush (stdout);
    LLVMFuzzerTestOneInput (reinterpret_cast<const uint8_t *> (content.data ()), content.size ());
    printf ("ok %zu - %s\n", ++number, path.filename ().c_str ());
  }
  return files.empty () ? 1 : 0;
}
