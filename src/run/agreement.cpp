// SPDX-License-Identifier: LGPL-3.0-or-later
// Makes the settings of all ranks equal before the work, because each rank negotiates and plans alone.
#include "base/cancellation.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/files/build-ids.hpp"
#include "base/files/output-file.hpp"
#include "graph/json-writer.hpp"
#include "graph/values.hpp"
#include "pass/joint-work.hpp"
#include "run/memory.hpp"
#include "run/resume.hpp"
#include "run/run-state.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace sino {

namespace {

using Numbers = std::vector<double>;

std::string written (const Numbers &numbers)
{
  return join (numbers, " ", [] (double n) { return text ("%.17g", n); });
}

// The least value of each number that ranks report.
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

// Ranks on one machine use different GPUs, if there are enough.
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
  // mpirun may have bound each rank to processors of its own already.
  return usable * place.ranks_here > all ? std::max (usable / place.ranks_here, 1) : usable;
}

std::string digest_of_items (const Plan &plan)
{
  std::string all;
  for (const auto &pass : plan.passes) {
    all += text ("pass %zu\n", pass.stages.size ());
    for (const auto &item : pass.items)
      all += text ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", item.rows.begin, item.rows.end);
  }
  for (const auto &store : plan.stores)
    all += text ("store %d\n", store.node);
  return digest_of (all);
}

std::string digest_of_outputs (const Net &net)
{
  std::string all;
  bool relative = false;
  for (const auto &node : net.nodes)
    for (const auto &path : facet<Writes> (*node.task).outputs ()) {
      all += path + "\n";
      relative = relative || !path.starts_with ('/');
    }
  return digest_of (relative ? std::filesystem::current_path ().string () + "\n" + all : all);
}

// In thousandths of a column: machines differ in the last bits of sines.
std::vector<double> places_of (const std::vector<View> &views)
{
  std::vector<double> places;
  for (const auto &view : views) {
    step_unless_cancelled ();
    const double step = 1e-3 * length (view.column);
    for (const auto &each : {view.source, view.corner, 1e3 * view.column, 1e3 * view.row})
      for (const double number : {each.x, each.y, each.z})
        places.push_back (std::round (number / step) + 0.0);
  }
  return places;
}

// Includes the results of surveys.
std::string digest_of_formats (const Net &net)
{
  std::string all;
  const auto add = [&all] (const std::vector<double> &numbers) {
    all += text ("%zu: ", numbers.size ()) + written (numbers) + "\n";
  };
  for (const auto &node : net.nodes) {
    if (!node.format)
      continue;
    all += node.name + " " + node.format->describe () + "\n";
    if (const auto &geometry = node.format->geometry) {
      add (geometry->angles);
      add (geometry->axis);
      add (places_of (geometry->views));
    }
  }
  return digest_of (all);
}

// Messages for differences between ranks, in the order of their digests.
constexpr const char *other_items = "other work items than the first rank: its machine has other devices; use machines "
                                    "of one kind, or set --device, --device-memory, --memory and --threads";
constexpr const char *other_kernels = "other kernels than the first rank, which give slightly different values: use "
                                      "machines of one kind, or set --device";
constexpr const char *alike[] = {"another graph than the first rank: give --mpi=off if each rank is a separate run",
                                 "another build of Sinograph than the first rank",
                                 "other outputs than the first rank, or another folder for them",
                                 "other streams than the first rank: do they see the same files?",
                                 other_kernels,
                                 other_items};

} // namespace

void RunState::share_machine ()
{
  if (!options.cluster)
    return;
  options.cluster->take_turn ();
  context->cluster = options.cluster;
  has_turn = true;
  context->set_place ("the other ranks");
  context->cluster->begin (context->monitor);
  const auto &place = context->cluster->place ();
  const auto devices = std::ssize (options.devices);
  options.devices = own_part (options.devices, place);
  // If there are more ranks than devices, some ranks share one.
  const auto together = devices > 0 ? divide_up (place.ranks_here, devices) : 1;
  double of_device = options.use.memory > 0 ? options.use.memory : 1e300;
  for (const auto &device : options.devices)
    if (device->own_memory () > 0 && (together > 1 || place.ranks > place.ranks_here))
      of_device = std::min (of_device, static_cast<double> (device->own_memory ()) / static_cast<double> (together));
  const Numbers own{static_cast<double> (options.threads > 0 ? options.threads : part_of_processors (place)), of_device,
                    static_cast<double> (options.devices.size ())};
  const auto agreed = parse_numbers (context->cluster->agree (written (own), context->monitor, least), ' ');
  options.threads = static_cast<int> (agreed.at (0));
  options.devices.resize (static_cast<size_t> (agreed.at (2))); // all ranks use the same number of devices
  if (agreed.at (1) < 1e300)
    options.use.memory = agreed.at (1);
  if (!options.trace.empty () && !context->cluster->leads ())
    options.trace += text (".%d", place.rank);
}

void RunState::agree_on_memory ()
{
  if (!context->cluster)
    return;
  auto most = context->plan.limit;
  if (options.memory <= 0) // free memory is shared by all ranks on this machine
    most = memory->now () + allowance_of (context->devices) +
           0.8 * available_memory () / context->cluster->place ().ranks_here;
  const auto agreed =
      parse_numbers (context->cluster->agree (written ({-context->plan.base, most}), context->monitor, least), ' ');
  context->plan.base = -agreed.at (0);
  context->plan.limit = agreed.at (1);
}

void RunState::compare_plans ()
{
  if (!context->cluster)
    return;
  const auto own = digest_of (to_json (graph, show_json)) + " " + digest_of (build_of_program ()) + " " +
                   digest_of_outputs (context->net) + " " + digest_of_formats (context->net) + " " +
                   kernels_digest (context->net, ample_groups ()) + " " + digest_of_items (context->plan);
  const auto unlike = context->cluster->agree (own, context->monitor, [] (const std::vector<std::string> &said) {
    const auto other = std::ranges::find_if (said, [&] (const auto &each) { return each != said.front (); });
    if (other == said.end ())
      return std::string ();
    const auto first = split (said.front (), ' '), its = split (*other, ' ');
    const auto place = std::ranges::mismatch (first, its).in1 - first.begin ();
    return text ("rank %zu has %s", static_cast<size_t> (other - said.begin ()), alike[place]);
  });
  if (!unlike.empty ())
    fail (SINO_ERROR_FAILED, "%s", unlike.c_str ());
}

void RunState::clear_abandoned ()
{
  if (context->cluster && context->cluster->leads ())
    remove_abandoned (abandoned_paths (context->net));
}

// On other machines, files and journals may look as they were some time ago, so all ranks use what the first one finds.
void RunState::agree_on_finished ()
{
  if (!context->cluster)
    return;
  std::string finished;
  for (const auto &pass : context->plan.passes)
    for (const auto &item : pass.items)
      finished += item.finished ? '1' : '0';
  finished = context->cluster->told (finished, context->monitor);
  size_t place = 0;
  for (auto &pass : context->plan.passes)
    for (auto &item : pass.items)
      item.finished = finished.at (place++) == '1';
}

} // namespace sino
