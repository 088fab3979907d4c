// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/process.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/modules.hpp"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace sino::files {

using hdf5::Head;
using hdf5::Word;

namespace {

constexpr uint64_t most_answer = uint64_t{1} << 28; // no file needs more
constexpr int patience = 50;                        // milliseconds after which a cancellation is noticed

// The folder of this module.
std::string own_folder ()
{
  static const char here = 0;
  Dl_info info;
  const bool known = dladdr (&here, &info) && info.dli_fname;
  const auto folder = std::filesystem::path (known ? info.dli_fname : "").parent_path ().string ();
  return known && folder.empty () ? "." : folder;
}

// Starts the process with only the socket of this one, and not in the terminal's process group, so that Ctrl-C does not
// reach it.
pid_t start (const std::string &path, int socket)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, socket, 0);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np (&actions, 3);
  posix_spawnattr_init (&attributes);
  sigset_t none, all;
  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string name = path;
  char *const words[] = {name.data (), nullptr};
  pid_t child = -1;
  const int error = posix_spawn (&child, path.c_str (), &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  if (error != 0)
    fail (SINO_ERROR_FAILED, "cannot start '%s', which reads HDF5 files: %s", path.c_str (), g_strerror (error));
  return child;
}

// Waits for the end of a process, but not if it hangs on a disk; such a process is checked again later. Returns its
// status, or -1 if unknown.
int reap (pid_t child)
{
  static std::mutex mutex;
  static std::vector<pid_t> lingering;
  const std::lock_guard guard (mutex);
  std::erase_if (lingering, [] (pid_t other) { return waitpid (other, nullptr, WNOHANG) != 0; });
  for (int i = 0; i < 1000; i++) {
    int status = -1;
    const auto got = waitpid (child, &status, WNOHANG);
    if (got == child)
      return status;
    if (got < 0 && errno != EINTR)
      return -1; // the embedding program has waited for it
    std::this_thread::sleep_for (std::chrono::microseconds (i < 100 ? 100 : 1000));
  }
  lingering.push_back (child);
  return -1;
}

} // namespace

// One request; if it does not end well, the process is given up.
class Hdf5Process::Exchange
{
public:
  Exchange (Hdf5Process &p, Word word, const hdf5::Parcel &request, const std::string &t)
      : guard (p.mutex), process (p), title (t)
  {
    if (!process.usable)
      fail (SINO_ERROR_BAD_FILE, "%s cannot be read any more: an earlier request failed", title.c_str ());
    process.usable = false;
    const Head head{static_cast<uint32_t> (word), 0, request.bytes.size ()};
    process.send (&head, sizeof head, title);
    process.send (request.bytes.data (), request.bytes.size (), title);
  }

  // The size of the next answer; throws the error if the answer is one.
  uint64_t next (uint64_t most = most_answer)
  {
    Head head;
    process.receive (&head, sizeof head, title);
    const bool failed = head.word == static_cast<uint32_t> (Word::failed);
    if (head.bytes > (failed ? most_answer : most) || head.word > static_cast<uint32_t> (Word::failed))
      fail (SINO_ERROR_BAD_FILE, "%s is damaged: the answer of the HDF5 process is not valid", title.c_str ());
    if (failed) {
      const auto message = text (head.bytes);
      process.usable = true;
      fail (SINO_ERROR_BAD_FILE, "%s", message.c_str ());
    }
    return head.bytes;
  }
  std::string text (uint64_t bytes)
  {
    std::string answer (bytes, '\0');
    process.receive (answer.data (), answer.size (), title);
    return answer;
  }
  void end () { process.usable = true; }

private:
  std::lock_guard<std::mutex> guard;
  Hdf5Process &process;
  const std::string &title;
};

Hdf5Process::Hdf5Process ()
{
  const auto program = find_program ("sinograph-hdf5", "which reads HDF5 files", own_folder ());
  int pair[2];
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    fail (SINO_ERROR_FAILED, "cannot make a socket to read HDF5 files: %s", g_strerror (errno));
  socket = OpenFile (pair[0]);
  const OpenFile other (pair[1]);
  child = start (program, other);
}

Hdf5Process::~Hdf5Process ()
{
  if (child > 0 && waitpid (child, nullptr, WNOHANG) == 0) {
    kill (child, SIGKILL);
    reap (child);
  }
}

std::string Hdf5Process::ask (Word word, const hdf5::Parcel &request, const std::string &title)
{
  Exchange exchange (*this, word, request, title);
  auto answer = exchange.text (exchange.next ());
  exchange.end ();
  return answer;
}

void Hdf5Process::ask (Word word, const hdf5::Parcel &request, const std::string &title, std::byte *to, size_t bytes)
{
  Exchange exchange (*this, word, request, title);
  if (exchange.next (bytes) != bytes)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: the HDF5 process returned other pixels than requested", title.c_str ());
  receive (to, bytes, title);
  exchange.end ();
}

void Hdf5Process::ask (Word word, const hdf5::Parcel &request, const std::string &title,
                       const std::function<void (const std::string &)> &answer)
{
  Exchange exchange (*this, word, request, title);
  for (auto bytes = exchange.next (); bytes > 0; bytes = exchange.next ())
    answer (exchange.text (bytes));
  exchange.end ();
}

void Hdf5Process::send (const void *from, size_t n, const std::string &title)
{
  for (auto *p = static_cast<const char *> (from); n > 0;) {
    const auto put = ::send (socket, p, n, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      fail_dead (title);
    p += put;
    n -= static_cast<size_t> (put);
  }
}

void Hdf5Process::receive (void *to, size_t n, const std::string &title)
{
  for (auto *p = static_cast<char *> (to); n > 0;) {
    check_cancelled ();
    pollfd wait{socket, POLLIN, 0};
    if (poll (&wait, 1, patience) <= 0)
      continue;
    const auto got = recv (socket, p, n, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      fail_dead (title);
    p += got;
    n -= static_cast<size_t> (got);
  }
}

void Hdf5Process::fail_dead (const std::string &title)
{
  const auto status = reap (std::exchange (child, -1));
  const int signal = status != -1 && WIFSIGNALED (status) ? WTERMSIG (status) : 0;
  if (signal == SIGKILL || signal == SIGTERM)
    fail (SINO_ERROR_BAD_FILE, "%s cannot be read: the process that reads it was killed (signal %d)", title.c_str (),
          signal);
  if (signal == SIGXCPU)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: the HDF5 library does not finish", title.c_str ());
  fail (SINO_ERROR_BAD_FILE,
        "%s cannot be read: the HDF5 library crashed (%s), so the file is damaged, or needs more memory than an intact "
        "file",
        title.c_str (),
        signal ? sino::text ("signal %d, %s", signal, g_strsignal (signal)).c_str () : "it ended the process");
}

} // namespace sino::files
