// SPDX-License-Identifier: LGPL-3.0-or-later
#include "cli/together.hpp"
#include "base/files/temporary.hpp"
#include "cli/interrupt.hpp"
#include "cli/print.hpp"

namespace sino::cli {

static int status_of (const Error &e)
{
  return dynamic_cast<const Wrong *> (&e) ? wrong : failed;
}

int together (Options &options, const std::function<int ()> &body)
{
  auto &word = options.words[option_place ("mpi")];
  if (!word)
    word = option_table[option_place ("mpi")].more.usual_word;
  const auto cluster = reading ([&] { return Cluster::of_process (parse_together ("--mpi", word)); });
  if (!cluster)
    return body ();
  if (!cluster->leads ()) {
    options.quiet = true;
    options.stats = false;
    options.progress = options.save = options.page = nullptr;
  }
  try {
    const int status = body ();
    cluster->leave (status);
    return status;
  } catch (const Error &e) {
    const int status = status_of (e);
    Temporary::remove_all ();
    cluster->fail (e.code, e.what ());
    // Reports before the others leave, because mpirun ends all processes when one has exited.
    if (cluster->leads () && !signalled ())
      complain (e.what ());
    told_why ();
    cluster->leave (status);
    if (!cluster->was_told ())
      complain (e.what ());
    throw Told{status};
  } catch (...) {
    cluster->fail (SINO_ERROR_FAILED, "it was interrupted, or there is not enough memory");
    cluster->leave (failed);
    throw;
  }
}

} // namespace sino::cli
