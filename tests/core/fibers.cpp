// SPDX-License-Identifier: LGPL-3.0-or-later
// Stacks of tasks where the system has none left.
#include "base/fiber.hpp"
#include "tests/support/expect.hpp"
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace sino::test::fibers_test {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

// Mappings of one page each, of which no two neighbours can become one, until the system refuses more.
class Mappings
{
public:
  explicit Mappings (size_t most)
  {
    pages.reserve (most);
    while (pages.size () < most) {
      void *page =
          mmap (nullptr, page_bytes, pages.size () % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (page == MAP_FAILED)
        return;
      pages.push_back (page);
    }
  }
  ~Mappings () { free (pages.size ()); }
  Mappings (const Mappings &) = delete;
  Mappings &operator= (const Mappings &) = delete;

  void free (size_t number)
  {
    for (; number > 0; number--) {
      munmap (pages.back (), page_bytes);
      pages.pop_back ();
    }
  }

private:
  const size_t page_bytes = static_cast<size_t> (getpagesize ());
  std::vector<void *> pages;
};

// A stack has a page below it that nobody may touch: without it, running over the stack would damage other memory.
void every_stack_is_guarded ()
{
  size_t most = 0;
  std::ifstream ("/proc/sys/vm/max_map_count") >> most;
  if (sanitized || most == 0 || most > 300000) {
    g_test_skip (sanitized ? "sanitizers need mappings of their own" : "the system has no small limit of mappings");
    return;
  }
  std::string messages[2];
  {
    Mappings mappings (most);
    for (size_t freed : {0, 1}) { // no mapping left, and one for the stack alone
      mappings.free (freed);
      messages[freed] = message_of ([] { Fiber ([] {}); });
    }
  }
  for (const auto &message : messages)
    test::same (message, "no addresses for the stack of a task: Cannot allocate memory: raise vm.max_map_count or "
                         "'ulimit -v', or run a smaller graph");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/fibers/guarded", every_stack_is_guarded);
  return g_test_run ();
}

} // namespace sino::test::fibers_test
