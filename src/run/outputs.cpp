// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/outputs.hpp"
#include "base/error.hpp"
#include <filesystem>
#include <map>

namespace sino {

namespace {

// One name for each file, however its path is written and whatever links its folder has. (A link in the last place is
// replaced by the file.)
class Resolver
{
public:
  std::string resolve (const std::string &path)
  {
    const auto slash = path.rfind ('/');
    const auto folder = slash == path.npos ? std::string (".") : path.substr (0, slash + 1);
    if (folder != last) { // the images of a sequence share theirs
      std::error_code failed;
      resolved = std::filesystem::weakly_canonical (std::filesystem::absolute (folder, failed), failed).string ();
      if (failed) // the sink says why when it writes there
        resolved = folder;
      if (!resolved.ends_with ('/'))
        resolved += '/';
      last = folder;
    }
    return resolved + (slash == path.npos ? path : path.substr (slash + 1));
  }

private:
  std::string last, resolved;
};

} // namespace

void check_outputs (const Net &net)
{
  const auto sinks = std::count_if (net.nodes.begin (), net.nodes.end (), [] (const auto &n) { return n.is_sink (); });
  if (sinks < 2)
    return;
  std::map<std::string, const NetNode *> writers;
  Resolver resolver;
  for (const auto &node : net.nodes)
    for (const auto &path : node.is_sink () ? node.task->outputs () : std::vector<std::string> ())
      if (const auto [found, first] = writers.emplace (resolver.resolve (path), &node); !first)
        fail (SINO_ERROR_BAD_GRAPH, "%s and %s would both write '%s': give each a path of its own",
              found->second->title.c_str (), node.title.c_str (), path.c_str ());
}

} // namespace sino
