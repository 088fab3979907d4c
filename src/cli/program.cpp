// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/program.hpp"
#include "api/sino-version.h"
#include "base/files/temporary.hpp"
#include "base/modules.hpp"
#include "base/monitor.hpp"
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

namespace sino::cli {

const char *const exit_statuses =
    "Exit status: 0 done, 1 the run failed, 2 the graph or the command line is wrong, 130 interrupted.";

namespace {

std::string help (const Program &program)
{
  auto out = text ("Usage: %s COMMAND [OPTION...]\n\nCommands:\n", program.name);
  for (const auto &command : program.commands)
    out += text ("  %-11s %s\n", command.name, command.summary);
  return out + text ("\n'%s COMMAND --help' shows the options of a command, '%s --version' the version.\n\n%s\n",
                     program.name, program.name, exit_statuses);
}

int dispatch (const Program &program, int argc, char **argv)
{
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help") {
    fputs (help (program).c_str (), stdout);
    return done;
  }
  if (name == "--version") {
    printf ("%s %s\n", program.name, SINO_VERSION);
    return done;
  }
  if (name == "complete")
    return complete (program, argc - 1, argv + 1);
  if (name == "manual")
    return manual (program, argc - 1, argv + 1);
  std::vector<std::string> names;
  for (const auto &command : program.commands) {
    if (name == command.name && !command.main)
      hand_on ({argv + 1, argv + argc});
    if (name == command.name) {
      argv[1] = argv[0];
      return command.main (argc - 1, argv + 1);
    }
    names.push_back (command.name);
  }
  if (name.empty ()) {
    fputs (help (program).c_str (), stderr);
    return wrong;
  }
  throw Wrong (SINO_ERROR_NOT_FOUND, text ("no command '%s': ", name.c_str ()) +
                                         did_you_mean (name, names, "", text ("'%s --help' lists them", program.name)));
}

int say (const char *message, int status)
{
  if (signalled ())
    leave_interrupted ();   // errors after Ctrl-C are caused by it
  Temporary::remove_all (); // also files of threads that were left behind
  fflush (stdout);
  complain (message);
  return status;
}

// Each output under construction takes two descriptors, one of them for the claim, and graphs may have hundreds of
// outputs. The usual soft limit of 1024 exists for programs that call select (); neither this program nor its children
// do.
void allow_files ()
{
  constexpr rlim_t enough = 65536;
  rlimit files{};
  if (getrlimit (RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= std::min (files.rlim_max, enough))
    return;
  files.rlim_cur = std::min (files.rlim_max, enough);
  setrlimit (RLIMIT_NOFILE, &files);
}

// If a standard stream is closed, the next file that is opened would get its number, and messages would be written
// there. The substitute of the standard output is not writable, so that lost output is an error.
void open_streams ()
{
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl (stream, F_GETFD) < 0 && errno == EBADF &&
        open ("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) !=
            stream) // open () returns the lowest free number
      _exit (failed);
}

} // namespace

void hand_on (const std::vector<std::string> &words)
{
  const auto path = find_program ("sinograph-bench", "which measures and tunes");
  std::vector<std::string> arguments{"sinograph-bench"};
  arguments.insert (arguments.end (), words.begin (), words.end ());
  std::vector<char *> pointers;
  for (auto &word : arguments)
    pointers.push_back (word.data ());
  pointers.push_back (nullptr);
  execv (path.c_str (), pointers.data ());
  fail (SINO_ERROR_FAILED, "cannot start '%s', which measures and tunes: %s", path.c_str (), g_strerror (errno));
}

int run_program (const Program &program, int argc, char **argv)
{
  allow_files ();
  open_streams ();
  int status = done;
  try {
    watch_signals ();
    status = dispatch (program, argc, argv);
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

} // namespace sino::cli
