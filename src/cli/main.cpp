// SPDX-License-Identifier: LGPL-3.0-or-later
// sinograph: runs graphs, and tells what they and the nodes are.
#include "api/sino-version.h"
#include "base/files/temporary.hpp"
#include "base/monitor.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/print.hpp"
#include "pass/patience.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace sino;
using namespace sino::cli;

std::string help ()
{
  std::string out = "Usage: sinograph COMMAND [OPTION...]\n\nCommands:\n";
  for (const auto &command : commands ())
    if (command.summary)
      out += text ("  %-11s %s\n", command.name, command.summary);
  return out + "\n'sinograph COMMAND --help' shows the options of a command, 'sinograph --version' the version.\n\n" +
         exit_statuses + "\n";
}

int dispatch (int argc, char **argv)
{
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help") {
    fputs (help ().c_str (), stdout);
    return done;
  }
  if (name == "--version") {
    printf ("sinograph %s\n", SINO_VERSION);
    return done;
  }
  std::vector<std::string> names;
  for (const auto &command : commands ()) {
    if (name == command.name) {
      argv[1] = argv[0];
      return command.main (argc - 1, argv + 1);
    }
    if (command.summary)
      names.push_back (command.name);
  }
  if (name.empty ()) {
    fputs (help ().c_str (), stderr);
    return wrong;
  }
  const auto near = nearest (name, names);
  throw Wrong (SINO_ERROR_NOT_FOUND, text ("no command '%s': %s", name.c_str (),
                                           near.empty () ? "'sinograph --help' lists them"
                                                         : text ("did you mean '%s'?", near.c_str ()).c_str ()));
}

int say (const char *message, int status)
{
  if (signalled ())
    leave_interrupted ();   // what fails after Ctrl-C fails because of it
  Temporary::remove_all (); // those of threads that were left behind
  fflush (stdout);
  complain (message);
  return status;
}

// Outputs under construction take two descriptors each, one of them for the claim, and graphs have hundreds. The usual
// soft limit of 1024 is there for programs that call select (), which neither we nor what we start does.
void allow_files ()
{
  constexpr rlim_t enough = 65536;
  rlimit files{};
  if (getrlimit (RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= std::min (files.rlim_max, enough))
    return;
  files.rlim_cur = std::min (files.rlim_max, enough);
  setrlimit (RLIMIT_NOFILE, &files);
}

// A stream that is closed would lend its number to the first file that is opened, and messages would go there. What
// stands in for the standard output cannot be written, so that lost output is an error.
void open_streams ()
{
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl (stream, F_GETFD) < 0 && errno == EBADF &&
        open ("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) != stream) // takes the lowest number free
      _exit (failed);
}

} // namespace

int main (int argc, char **argv)
{
  allow_files ();
  open_streams ();
  int status = done;
  try {
    watch_signals ();
    status = dispatch (argc, argv);
  } catch (const HelpShown &) {
  } catch (const Told &e) {
    Temporary::remove_all ();
    status = e.status;
  } catch (const Wrong &e) {
    status = say (e.what (), wrong);
  } catch (const Error &e) {
    status = say (e.what (), failed);
  } catch (const Cancelled &) {
    leave_interrupted ();
  } catch (const std::bad_alloc &) {
    status = say ("out of memory", failed);
  } catch (const std::exception &e) {
    status = say (e.what (), failed);
  }
  if ((fflush (stdout) != 0 || ferror (stdout)) && status == done)
    status = say ("cannot write to the standard output", failed);
  if (Patience::left_any ())
    _exit (status);
  return status;
}
