// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/fuzz/support.hpp"
#include "base/shown.hpp"
#include "formats/open.hpp"
#include "glue/registry.hpp"
#include "graph/launch.hpp"
#include "plan/net.hpp"
#include "tests/fuzz/target.hpp"
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <unistd.h>

// Modules are loaded before the first input, which would else be told to have found their code.
int LLVMFuzzerInitialize (int *, char ***)
{
  const auto missing = sino::Registry::get ().none_text ();
  sino::fuzz::require (missing.empty (), missing);
  return 0;
}

namespace sino::fuzz {

// Pixels and memory of a file that fits in an input; more is what it claims.
constexpr int64_t most_pixels = 1 << 20;
constexpr size_t most_memory = size_t{64} << 20;

void require (bool true_thing, const std::string &what)
{
  if (true_thing)
    return;
  fprintf (stderr, "%s\n", what.c_str ());
  abort ();
}

std::string message_of (const std::function<void ()> &body)
{
  try {
    body ();
  } catch (const Error &e) {
    std::string said = e.what ();
    require (!said.empty (), "an error without a message");
    return said;
  }
  return {};
}

InputFile::InputFile (std::span<const std::byte> content) : path_ (text ("%s/sinograph-XXXXXX", g_get_tmp_dir ()))
{
  const int file = g_mkstemp (path_.data ());
  require (file >= 0 && write (file, content.data (), content.size ()) == std::ssize (content),
           "no file for the input");
  close (file);
}

InputFile::~InputFile ()
{
  unlink (path_.c_str ());
}

// Some lines of a page, in the least memory that the stack asks for.
static void read_lines (const formats::Stack &stack, int64_t page)
{
  const auto lines = std::clamp<int64_t> (most_pixels / stack.columns, 1, stack.lines);
  std::vector<int64_t> rows (static_cast<size_t> (lines)), columns (static_cast<size_t> (stack.columns));
  std::iota (rows.begin (), rows.end (), stack.lines - lines);
  std::iota (columns.begin (), columns.end (), int64_t{0});
  const formats::Part part{std::span (&page, 1), rows, columns};
  std::vector<std::byte> out (part.pixels () * pixel (stack));
  stack.read (part, out.data (), {});
}

std::string read_images (const std::string &path, const std::string &words)
{
  auto said = message_of ([&] { negotiate (parse_launch ("read path=" + path + " " + words + " ! null")); });
  said += message_of ([&] {
    std::vector<std::string> messages;
    const auto images = formats::open_images ("path", path, messages);
    const auto &stack = *images->stack;
    require (stack.pages > 0 && stack.lines > 0 && stack.columns > 0, "a stack without pixels");
    if (stack.columns > most_pixels || stack.resident () + stack.scratch (1) > most_memory)
      return;
    for (const auto page : {int64_t{0}, stack.pages / 2, stack.pages - 1})
      said += message_of ([&] { read_lines (stack, page); });
  });
  return said;
}

} // namespace sino::fuzz
