// SPDX-License-Identifier: LGPL-3.0-or-later
// Data that ranks share, and the place of their files.
#include "pass/joint-work.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include <set>
#include <unistd.h>

namespace sino {

static constexpr const char *usual_name = "/sinograph-ranks";

// A path that all ranks can see: beside the first output, so that the next run of that output finds what was left. Uses
// the nearest folder of it that exists.
std::string shared_path (const RunContext &context)
{
  const char *scratch = g_getenv ("SINOGRAPH_SCRATCH");
  for (const auto &node : context.net.nodes)
    for (const auto &path : facet<Writes> (*node.task).outputs ()) {
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

std::vector<std::string> abandoned_paths (const Net &net)
{
  std::set<std::string> folders{ScratchFile::usual_folder ()};
  for (const auto &node : net.nodes)
    for (const auto &path : facet<Writes> (*node.task).outputs ())
      for (auto folder = folder_of (path); folders.insert (folder).second && folder != "/" && folder != ".";)
        folder = folder_of (folder);
  std::vector<std::string> paths;
  for (const auto &folder : folders)
    paths.push_back (folder + usual_name);
  return paths;
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
  auto &task = *context.net.node (node).task;
  if (!context.cluster || !context.net.node (node).is_sink () || !context.joined.insert (node).second)
    return start ();
  if (context.cluster->leads ()) {
    start ();
    context.cluster->told (facet<Writes> (task).opened (), context.monitor);
    return;
  }
  facet<Writes> (task).join (context.cluster->told ("", context.monitor), context.cluster->place ().rank);
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

} // namespace sino
