// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs that are joined over a network, ended and cancelled, in one process: for sanitizers, which tests in Python do
// not have.
#include "graph/launch.hpp"
#include "run/run.hpp"
#include "tests/support/expect.hpp"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace sino::test::joined_test {

namespace {

// An address that nobody has at this moment, below the ports that the system gives to connections.
std::string free_address ()
{
  while (true) {
    const auto port = static_cast<uint16_t> (g_random_int_range (20000, 30000));
    const sockaddr_in place{
        .sin_family = AF_INET, .sin_port = htons (port), .sin_addr = {htonl (INADDR_LOOPBACK)}, .sin_zero = {}};
    const int descriptor = socket (AF_INET, SOCK_STREAM, 0);
    const bool is_free = bind (descriptor, reinterpret_cast<const sockaddr *> (&place), sizeof place) == 0;
    close (descriptor);
    if (is_free)
      return text ("address=tcp://127.0.0.1:%d", port);
  }
}

// A run in a thread.
struct Joined {
  Run run;
  std::string failure;
  bool was_cancelled = false;
  std::thread thread;

  explicit Joined (const std::string &line)
      : run (parse_launch (line), RunOptions ()), thread ([this] {
          failure = message_of ([this] {
            was_cancelled = cancelled ([this] {
              run.gather ();
              run.execute ();
            });
          });
          run.abandon ("over");
        })
  {
  }
};

void all_frames_arrive ()
{
  for (const auto *words : {"frames=60", "", "frames=60 order=any missing=interpolate", "short-scan=finish"}) {
    const auto address = free_address ();
    Joined from ("simulate width=64 height=16 projections=60 type=u16 ! send " + address);
    Joined to ("receive " + address + " timeout=60 " + words + " ! null");
    from.thread.join ();
    to.thread.join ();
    same (from.failure, "(no error)");
    same (to.failure, "(no error)");
  }
}

void waits_are_cancelled ()
{
  for (const auto *line : {"receive %s ! null", "receive %s frames=60 rows=16 columns=64 element=u16 ! null",
                           "simulate width=64 height=16 projections=60 ! send %s",
                           "simulate width=64 height=16 projections=60 ! send bind=false %s"})
    for (int i = 0; i < 5; i++) {
      const std::string words = line;
      const auto place = words.find ("%s");
      Joined waits (words.substr (0, place) + free_address () + words.substr (place + 2));
      std::this_thread::sleep_for (std::chrono::milliseconds (20 * i));
      waits.run.cancel ();
      waits.thread.join ();
      g_assert_true (waits.was_cancelled);
    }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/joined/all-frames-arrive", all_frames_arrive);
  g_test_add_func ("/joined/waits-are-cancelled", waits_are_cancelled);
  return g_test_run ();
}

} // namespace sino::test::joined_test
