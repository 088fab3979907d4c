// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds out whether a process is one of several, and joins the others.
#include "base/error.hpp"
#include "base/modules.hpp"
#include "ranks/cluster.hpp"
#include <cstdlib>
#include <dlfcn.h>

namespace sino {

namespace {

constexpr const char *mpi_module = "mpi/sinograph-mpi.so";

int64_t number_in (const char *variable)
{
  int64_t number = 0;
  const char *word = g_getenv (variable);
  return word && parse_integer (word, number) ? number : 0;
}

// Number of processes that mpirun or srun has started, from the environment; 0 if it is not there.
int64_t started_together ()
{
  // Variables of: Open MPI and PRRTE; MPICH and its relatives, and srun --mpi=pmi2; srun --mpi=pmix.
  auto ranks = std::max (number_in ("OMPI_COMM_WORLD_SIZE"), number_in ("PMI_SIZE"));
  if (g_getenv ("PMIX_RANK"))
    ranks = std::max (ranks, number_in ("SLURM_STEP_NUM_TASKS"));
  return ranks;
}

std::string find_module ()
{
  if (auto files = module_files (mpi_module); !files.empty ())
    return files.front ();
  fail (SINO_ERROR_NOT_FOUND,
        "MPI ranks cannot work together, because there is no %s in %s: install Sinograph with MPI (meson setup "
        "-Dmpi=enabled), or give --mpi=off to run each rank alone",
        mpi_module, join (module_folders ()).c_str ());
}

// MPI stays loaded: it cannot begin again in a process where it has ended.
std::unique_ptr<Board> join_others ()
{
  const auto path = find_module ();
  // MPI's plug-ins look for symbols of the program, so they must be global.
  void *module = dlopen (path.c_str (), RTLD_NOW | RTLD_GLOBAL);
  if (!module)
    fail (SINO_ERROR_BAD_FILE, "cannot load MPI: %s", dlerror ());
  const auto make = reinterpret_cast<MakeBoard *> (dlsym (module, "sino_mpi_board"));
  if (!make)
    fail (SINO_ERROR_BAD_FILE, "cannot load MPI: %s", dlerror ());
  char fault[512] = "";
  std::unique_ptr<Board> board (make (Cluster::bytes, fault, sizeof fault));
  if (!board)
    fail (SINO_ERROR_FAILED, "MPI does not work: %s", fault);
  return board;
}

} // namespace

Together parse_together (const char *name, const std::string &word)
{
  if (word == "auto")
    return Together::automatic;
  if (word == "on")
    return Together::on;
  if (word == "off")
    return Together::off;
  fail (SINO_ERROR_BAD_PROPERTY, "%s wants auto, on or off, got '%s'", name, word.c_str ());
}

std::shared_ptr<Cluster> Cluster::of_process (Together together)
{
  static std::mutex one;
  static std::shared_ptr<Cluster> cluster;
  const std::lock_guard guard (one);
  const auto started = started_together ();
  if (together == Together::off || (together == Together::automatic && started < 2))
    return nullptr;
  if (started == 0)
    sino::fail (SINO_ERROR_BAD_PROPERTY,
                "--mpi=on is given, but mpirun or srun did not start this process as an MPI rank: leave --mpi=on out");
  if (!cluster) {
    cluster = std::make_shared<Cluster> (join_others ());
    std::atexit ([] { cluster->leave (1); }); // no effect if it has already left
  }
  return cluster->place ().ranks > 1 ? cluster : nullptr;
}

} // namespace sino
