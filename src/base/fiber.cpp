// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/fiber.hpp"
#include "base/error.hpp"
#include <cerrno>
#include <cstdint>
#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace sino {

namespace {

// Bytes of addresses that a stack takes; memory is taken as it is used. Compilers of drivers and interpreters may run
// on it.
constexpr size_t stack_bytes = size_t{2} << 20;

class Stack
{
public:
  Stack ()
  {
    begin = mmap (nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE,
                  -1, 0);
    if (begin == MAP_FAILED)
      failed (errno);
    if (mprotect (begin, static_cast<size_t> (getpagesize ()), PROT_NONE) != 0) { // so that running over it shows
      const int why = errno;
      munmap (begin, stack_bytes);
      failed (why);
    }
    madvise (begin, stack_bytes, MADV_NOHUGEPAGE); // most use a few kilobytes
  }
  ~Stack () { munmap (begin, stack_bytes); }
  Stack (const Stack &) = delete;
  Stack &operator= (const Stack &) = delete;

  void *begin;

private:
  // The system has a limit of addresses, and one of mappings, of which a stack takes two.
  [[noreturn]] static void failed (int why)
  {
    fail (SINO_ERROR_MEMORY,
          "no addresses for the stack of a task: %s: raise vm.max_map_count or 'ulimit -v', or run a smaller graph",
          g_strerror (why));
  }
};

thread_local Fiber *running = nullptr;

// What of exceptions the C++ runtime keeps for a thread, as its ABI defines it.
struct Exceptions {
  void *caught = nullptr;
  unsigned thrown = 0;
};

} // namespace

// Where a thread goes on, and what belongs to there.
struct Fiber::Place {
  ucontext_t context{};
  std::unique_ptr<Stack> stack; // null: the thread's
  Exceptions exceptions;
  const void *bottom = nullptr; // bottom of its stack
  size_t size = 0;
#if defined(__SANITIZE_ADDRESS__)
  void *fake = nullptr;
#elif defined(__SANITIZE_THREAD__)
  void *judge = nullptr;
#endif

  void go (Place &to, [[maybe_unused]] bool forever)
  {
    auto *now = reinterpret_cast<Exceptions *> (abi::__cxa_get_globals ());
    exceptions = *now;
    *now = to.exceptions;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber (forever ? nullptr : &fake, to.bottom, to.size);
#elif defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber (to.judge, 0);
#endif
    swapcontext (&context, &to.context);
    arrive (nullptr);
  }

  // `from`: learns where its stack is.
  void arrive ([[maybe_unused]] Place *from)
  {
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom_before = nullptr;
    size_t size_before = 0;
    __sanitizer_finish_switch_fiber (fake, &bottom_before, &size_before);
    if (from) {
      from->bottom = bottom_before;
      from->size = size_before;
    }
#endif
  }
};

Fiber::Fiber (std::function<void ()> b)
    : body (std::move (b)), inside (std::make_unique<Place> ()), outside (std::make_unique<Place> ())
{
  inside->stack = std::make_unique<Stack> ();
  inside->bottom = inside->stack->begin;
  inside->size = stack_bytes;
  getcontext (&inside->context);
  inside->context.uc_stack.ss_sp = inside->stack->begin;
  inside->context.uc_stack.ss_size = stack_bytes;
  makecontext (&inside->context, &Fiber::enter, 0);
#if defined(__SANITIZE_THREAD__)
  inside->judge = __tsan_create_fiber (0);
#endif
}

Fiber::~Fiber ()
{
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber (inside->judge);
#endif
}

void Fiber::enter ()
{
  auto &self = *running;
  self.inside->arrive (self.outside.get ());
  self.body ();
  self.over = true;
  running = nullptr;
  self.inside->go (*self.outside, true);
}

void Fiber::resume ()
{
#if defined(__SANITIZE_THREAD__)
  outside->judge = __tsan_get_current_fiber ();
#endif
  running = this;
  outside->go (*inside, false);
  if (over)
    inside->stack.reset ();
}

void Fiber::leave ()
{
  auto &self = *running;
  running = nullptr;
  self.inside->go (*self.outside, false);
}

} // namespace sino
