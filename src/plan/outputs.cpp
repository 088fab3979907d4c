// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/outputs.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/files/output-file.hpp"
#include "base/files/paths.hpp"
#include <filesystem>
#include <map>

namespace sino {

namespace {

// Finds one name for each file, independent of the form of its path and of links in its folder. (If the file itself is
// a link, the link is replaced, so it is not followed.)
class Resolver
{
public:
  std::string resolve (const std::string &path)
  {
    const auto slash = path.rfind ('/');
    const auto folder = slash == path.npos ? std::string (".") : path.substr (0, slash + 1);
    if (folder != last) { // the images of a sequence have the same folder
      std::error_code failed;
      resolved = std::filesystem::weakly_canonical (std::filesystem::absolute (folder, failed), failed).string ();
      if (failed) // the sink reports the error when it writes there
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

// Files that nodes read, by device and inode, so that links and other spellings of a path are recognised.
using Readers = std::map<std::pair<uint64_t, uint64_t>, const NetNode *>;

static Readers find_readers (const Net &net)
{
  Readers readers;
  for (const auto &node : net.nodes)
    for (const auto &file : node.task->files ())
      readers.emplace (std::pair (file.device, file.inode), &node);
  return readers;
}

static void check_reader (const Readers &readers, const std::string &writer, const std::string &path)
{
  FileStamp file;
  if (readers.empty () || !find_stamp (path, file))
    return;
  if (const auto found = readers.find ({file.device, file.inode}); found != readers.end ())
    fail (SINO_ERROR_BAD_GRAPH, "%s would replace '%s', which %s reads: give it another path", writer.c_str (),
          path.c_str (), found->second->title.c_str ());
  for (const auto &name : names_in (path).list) { // an empty list if the path is not a folder
    step_unless_cancelled ();
    const auto inside = std::filesystem::path (path) / name;
    std::error_code failed;
    if (!std::filesystem::is_symlink (inside, failed)) // only the link would be deleted, not the file it points to
      check_reader (readers, writer, inside);
  }
}

// Checks that no sink writes into a folder that is the result of another sink: that folder is replaced as a whole.
static void check_folders (const std::map<std::string, std::string> &writers)
{
  std::string checked; // the images of a sequence have the same folder
  for (const auto &[path, writer] : writers) {
    const auto inner = folder_of (path);
    if (inner == checked)
      continue;
    checked = inner;
    for (auto folder = inner; folder != "/" && folder != "."; folder = folder_of (folder))
      if (const auto found = writers.find (folder); found != writers.end ())
        fail (SINO_ERROR_BAD_GRAPH, "%s would write '%s' into '%s', which %s writes: give it another path",
              writer.c_str (), path.c_str (), folder.c_str (), found->second.c_str ());
  }
}

void check_writers (const Net &net, const std::string &trace, const std::string &report)
{
  std::map<std::string, std::string> writers; // titles of the sinks, by path
  const auto readers = find_readers (net);
  Resolver resolver;
  const struct {
    std::string name, title;
  } the_trace{"", "the trace"}, the_report{"", "the report"};
  const auto add = [&] (const auto &writer, const std::string &path) {
    step_unless_cancelled ();
    naming (writer, [&] { check_place_confined (path); });
    if (const auto [found, first] = writers.emplace (resolver.resolve (path), writer.title); !first)
      fail (SINO_ERROR_BAD_GRAPH, "%s and %s would both write '%s': give each a path of its own",
            found->second.c_str (), writer.title.c_str (), path.c_str ());
    check_reader (readers, writer.title, path);
  };
  for (const auto &node : net.nodes)
    if (node.is_sink ())
      for (const auto &path : facet<Writes> (*node.task).outputs ())
        add (node, path);
  if (!trace.empty ())
    add (the_trace, trace);
  if (!report.empty ())
    add (the_report, report);
  check_folders (writers);
  for (const auto &node : net.nodes)
    for (const auto &path : facet<Writes> (*node.task).beside ())
      add (node, path);
  if (!trace.empty ())
    check_new (trace);
}

} // namespace sino
