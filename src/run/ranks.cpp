// SPDX-License-Identifier: LGPL-3.0-or-later
// A run as one of several ranks has it: all negotiate and plan alike, take work items from one counter, and write to
// what the first one has opened.
#include "run/ranks.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/output-file.hpp"
#include "base/paths.hpp"
#include "run/memory.hpp"
#include "run/run-state.hpp"
#include <algorithm>
#include <unistd.h>

namespace sino {

namespace {

using Numbers = std::vector<double>;

std::string written (const Numbers &numbers)
{
  return join (numbers, " ", [] (double n) { return text ("%.17g", n); });
}

// The least of each number that ranks say.
std::string least (const std::vector<std::string> &said)
{
  auto all = parse_numbers (said.front (), ' ');
  for (const auto &each : said) {
    const auto numbers = parse_numbers (each, ' ');
    for (size_t i = 0; i < all.size (); i++)
      all[i] = std::min (all[i], numbers.at (i));
  }
  return written (all);
}

// Ranks on one machine have GPUs of their own as far as there are as many.
std::vector<std::shared_ptr<const Device>> own_part (const std::vector<std::shared_ptr<const Device>> &devices,
                                                     const RankPlace &place)
{
  std::vector<std::shared_ptr<const Device>> own;
  for (size_t d = 0; d < devices.size (); d++)
    if (static_cast<int> (d) % place.ranks_here == place.rank_here)
      own.push_back (devices[d]);
  if (own.empty () && !devices.empty ())
    own.push_back (devices[static_cast<size_t> (place.rank_here) % devices.size ()]);
  return own;
}

int part_of_processors (const RankPlace &place)
{
  const auto all = static_cast<int> (sysconf (_SC_NPROCESSORS_ONLN)), usable = usable_cpus ();
  // mpirun may have given each rank processors of its own already.
  return usable * place.ranks_here > all ? std::max (usable / place.ranks_here, 1) : usable;
}

std::string digest_of_items (const Plan &plan)
{
  std::string all;
  for (const auto &pass : plan.passes) {
    all += text ("pass %zu\n", pass.stages.size ());
    for (const auto &item : pass.items)
      all += text ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d\n", item.rows.begin, item.rows.end, item.finished);
  }
  for (const auto &store : plan.stores)
    all += text ("store %d\n", store.node);
  return digest_of (all);
}

constexpr const char *usual_name = "/sinograph-ranks";

} // namespace

// Where all ranks see it, if they see anything: beside the first output, whose next run knows what was left. As far as
// its folder is there.
std::string shared_path (const RunContext &context)
{
  const char *scratch = g_getenv ("SINOGRAPH_SCRATCH");
  for (const auto &node : context.net.nodes)
    for (const auto &path : node.task->outputs ()) {
      if (scratch && *scratch)
        break;
      auto folder = folder_of (path);
      if (access (folder.c_str (), F_OK) == 0)
        return path;
      while (folder != "/" && folder != "." && access (folder.c_str (), F_OK) != 0)
        folder = folder_of (folder);
      return folder + usual_name;
    }
  return ScratchFile::usual_folder () + usual_name;
}

std::unique_ptr<Store> shared_store (RunContext &context, const std::shared_ptr<const Format> &format)
{
  auto &cluster = *context.cluster;
  if (!cluster.leads ())
    return std::make_unique<Store> (format, std::make_unique<ScratchFile> (cluster.told ("", context.monitor)));
  auto made = std::make_unique<Temporary> (shared_path (context));
  auto file = std::make_unique<ScratchFile> (made->path ());
  file->reserve (static_cast<size_t> (format->bytes ()));
  cluster.told (made->path (), context.monitor);
  return std::make_unique<Store> (format, std::move (file), std::move (made));
}

void start_together (RunContext &context, int node, const std::function<void ()> &start)
{
  auto &task = *context.net.nodes[static_cast<size_t> (node)].task;
  if (!context.cluster || !context.net.nodes[static_cast<size_t> (node)].is_sink () ||
      !context.joined.insert (node).second)
    return start ();
  if (context.cluster->leads ()) {
    start ();
    context.cluster->told (task.opened (), context.monitor);
    return;
  }
  task.join (context.cluster->told ("", context.monitor), context.cluster->place ().rank);
  start ();
}

MakeOnce make_once (RunContext &context, int node)
{
  if (!context.cluster)
    return {};
  return [&context, node] (const std::function<Bytes ()> &make) {
    return context.cluster->once (static_cast<size_t> (node), shared_path (context), context.monitor, make);
  };
}

void RunState::share_machine ()
{
  auto &run = *context;
  run.cluster = options.cluster;
  if (!run.cluster)
    return;
  run.set_place ("the other ranks");
  run.cluster->begin (run.monitor);
  const auto &place = run.cluster->place ();
  const auto devices = std::ssize (options.devices);
  options.devices = own_part (options.devices, place);
  // Where ranks outnumber devices, some have one together.
  const auto together = devices > 0 ? (place.ranks_here + devices - 1) / devices : 1;
  double of_device = options.use.memory > 0 ? options.use.memory : 1e300;
  for (const auto &device : options.devices)
    if (device->own_memory () > 0 && (together > 1 || place.ranks > place.ranks_here))
      of_device = std::min (of_device, static_cast<double> (device->own_memory ()) / static_cast<double> (together));
  const Numbers own{static_cast<double> (options.threads > 0 ? options.threads : part_of_processors (place)),
                    of_device};
  const auto agreed = parse_numbers (run.cluster->agree (written (own), run.monitor, least), ' ');
  options.threads = static_cast<int> (agreed.at (0));
  if (agreed.at (1) < 1e300)
    options.use.memory = agreed.at (1);
  if (!options.trace.empty () && !run.cluster->leads ())
    options.trace += text (".%d", place.rank);
}

void RunState::agree_on_memory ()
{
  auto &run = *context;
  if (!run.cluster)
    return;
  auto most = run.plan.limit;
  if (options.memory <= 0) // what is free is for all that are here
    most = memory->now () + allowance_of (run.devices) + 0.8 * available_memory () / run.cluster->place ().ranks_here;
  const auto agreed = parse_numbers (run.cluster->agree (written ({-run.plan.base, most}), run.monitor, least), ' ');
  run.plan.base = -agreed.at (0);
  run.plan.limit = agreed.at (1);
}

void RunState::compare_plans ()
{
  auto &run = *context;
  if (!run.cluster)
    return;
  if (run.cluster->leads () && shared_path (run).ends_with (usual_name))
    remove_abandoned ({shared_path (run)});
  const auto unlike =
      run.cluster->agree (digest_of_items (run.plan), run.monitor, [] (const std::vector<std::string> &said) {
        const auto other = std::ranges::find_if (said, [&] (const auto &each) { return each != said.front (); });
        return other == said.end () ? std::string () : text ("%zu", static_cast<size_t> (other - said.begin ()));
      });
  if (!unlike.empty ())
    fail (
        SINO_ERROR_FAILED,
        "rank %s plans other work items than the first: its machine has other devices or memory; take machines of one "
        "kind, or say --device, --device-memory, --memory and --threads",
        unlike.c_str ());
}

void RunState::meet ()
{
  if (context->cluster)
    context->cluster->meet (context->monitor);
}

void RunState::tell_others ()
{
  auto &run = *context;
  if (!run.cluster)
    return;
  Share own{0, 0, run.meters.bytes_taken, run.meters.slices_taken, run.meters.updates, run.meters.voxels};
  for (const auto &device : run.meters.devices) {
    own.items += device.items;
    own.rows += device.rows;
  }
  run.cluster->tell (own);
  run.cluster->check ();
  if (!run.cluster->leads ())
    return;
  auto all = run.cluster->shares ();
  const std::lock_guard guard (mutex);
  shares = std::move (all);
}

void RunState::tell_failure () noexcept
{
  const auto cluster = context->cluster;
  if (!cluster)
    return;
  try {
    throw;
  } catch (const Error &e) {
    cluster->fail (e.code, e.what ());
  } catch (const Cancelled &e) {
    cluster->fail (SINO_ERROR_FAILED, e.message);
  } catch (const std::exception &e) {
    cluster->fail (SINO_ERROR_FAILED, e.what ());
  } catch (...) {
    cluster->fail (SINO_ERROR_FAILED, "something unknown");
  }
}

std::vector<Share> RunState::all_shares ()
{
  const std::lock_guard guard (mutex);
  return shares;
}

std::vector<Share> RunState::other_shares ()
{
  auto all = all_shares ();
  if (!all.empty ())
    all.erase (all.begin ()); // its own, which it knows better
  return all;
}

void RunState::finish_part ()
{
  auto &run = *context;
  if (!run.cluster) {
    for (auto &node : run.net.nodes)
      naming (node.title, [&] { node.task->finish (); });
    return;
  }
  // Nodes that write, in their order: a line each, of which the first has those of all ranks.
  std::vector<Task *> sinks;
  std::string own;
  for (const auto &node : run.net.nodes)
    if (node.is_sink ())
      sinks.push_back (node.task.get ());
  if (!run.cluster->leads ())
    for (const auto &node : run.net.nodes)
      if (node.is_sink ())
        naming (node.title, [&] { own += node.task->part_finished () + "\n"; });
  std::vector<std::vector<std::string>> parts (sinks.size ());
  run.cluster->agree (own, run.monitor, [&] (const std::vector<std::string> &said) {
    for (size_t rank = 1; rank < said.size (); rank++) {
      const auto lines = split (said[rank], '\n');
      for (size_t s = 0; s < sinks.size (); s++)
        parts[s].push_back (lines.at (s));
    }
    return std::string ();
  });
  run.cluster->drop_made ();
  if (run.cluster->leads ()) {
    for (size_t s = 0; s < sinks.size (); s++)
      sinks[s]->others_finished (parts[s]);
    for (auto &node : run.net.nodes)
      naming (node.title, [&] { node.task->finish (); });
  } else
    for (auto &node : run.net.nodes)
      if (!node.is_sink ())
        naming (node.title, [&] { node.task->finish (); });
  tell_others ();
  meet (); // the results are there
  tell_others ();
}

} // namespace sino
