// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/findings.hpp"
#include "base/files/cache-folder.hpp"
#include "base/files/paths.hpp"
#include "base/files/temporary.hpp"
#include "device/opencl.hpp"
#include "device/program-cache.hpp"
#include <fstream>
#include <iterator>
#include <map>

namespace sino::families {

std::string findings_folder ()
{
  return text ("%s/sinograph/findings", g_get_user_cache_dir ());
}

std::string finding_path (const OpenclDevice &device, const std::string &name, const std::vector<std::string> &depends)
{
  std::vector<std::string> parts{"finding 1", name, device.identity ()};
  parts.insert (parts.end (), depends.begin (), depends.end ());
  return text ("%s/%s-%s", findings_folder ().c_str (), program_key (parts).substr (0, 32).c_str (), name.c_str ());
}

std::string look_at_finding (const std::string &path)
{
  std::ifstream file (path);
  try {
    return {std::istreambuf_iterator<char> (file), {}};
  } catch (const std::ios::failure &) { // it cannot be read, so others are asked again
    return {};
  }
}

std::string read_finding (const std::string &path)
{
  mark_used (path);
  return look_at_finding (path);
}

void write_finding (const std::string &path, const std::string &content, size_t most)
{
  if (const auto folder = findings_folder (); g_mkdir_with_parents (folder.c_str (), 0700) != 0)
    fail_file ("cannot create", folder, errno);
  Temporary part (path);
  part.write (content);
  part.commit (true);
  bound_folder (findings_folder (), most, ".json"); // tunings of a user are kept, because they took minutes
}

namespace {

// The first line is a checksum of the finding: a damaged file counts as absent.
std::string sealed (const std::string &finding)
{
  return program_key ({finding}) + "\n" + finding;
}

} // namespace

std::string unsealed (const std::string &content)
{
  const auto end = content.find ('\n');
  const auto finding = end == content.npos ? "" : content.substr (end + 1);
  return content == sealed (finding) ? finding : "";
}

std::string read_sealed (const std::string &path)
{
  return unsealed (read_finding (path));
}

void keep_sealed (const std::string &path, const std::string &finding)
{
  try {
    write_finding (path, sealed (finding));
  } catch (const Error &error) {
    g_debug ("not saved: %s", error.what ());
  }
}

Finding find_out (const std::string &path, const std::function<Finding ()> &ask)
{
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard guard (mutex);
  if (const auto found = known.find (path); found != known.end ())
    return {found->second, true};
  if (auto kept = read_sealed (path); !kept.empty ())
    return {known[path] = std::move (kept), true};
  auto finding = ask ();
  if (finding.lasting) {
    known[path] = finding.text;
    keep_sealed (path, finding.text);
  }
  return finding;
}

} // namespace sino::families
