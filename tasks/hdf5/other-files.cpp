// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/hdf5/other-files.hpp"
#include "base/files/confinement.hpp"
#include "base/shown.hpp"
#include "tasks/hdf5/opening.hpp"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

namespace sino::hdf5 {

namespace {

std::optional<Confinement> confinement;
std::string refusal;

bool is_file (const std::string &path)
{
  std::error_code ignored;
  return std::filesystem::is_regular_file (path, ignored);
}

// Follows an external link as the library does, except that this code finds and opens the file.
hid_t follow (const char *, hid_t group, const void *data, size_t size, hid_t access, hid_t)
{
  constexpr int deepest = 16; // longest chain of links
  static int depth = 0;
  if (depth == deepest)
    return -1;
  struct Step {
    Step () { depth++; }
    ~Step () { depth--; }
  } const step;
  try {
    const char *name = nullptr, *object = nullptr;
    check (H5Lunpack_elink_val (data, size, nullptr, &name, &object), "HDF5");
    const auto path = find_file (name, file_path (group), "HDF5_EXT_PREFIX");
    check_within (path);
    const Handle file = open_to_read (path, in_quotes (name));
    return H5Oopen (file, object, access); // keeps the file open
  } catch (const Outside &e) {
    refusal = e.what ();
  } catch (...) { // a broken link
  }
  return -1;
}

ssize_t tell (const char *, const void *data, size_t size, void *to, size_t room)
{
  if (to)
    std::memcpy (to, data, std::min (size, room));
  return static_cast<ssize_t> (size);
}

} // namespace

void keep_within (const std::string &folder)
{
  if (folder.empty ())
    return;
  confinement.emplace (folder);
  H5L_class_t links{};
  links.version = H5L_LINK_CLASS_T_VERS;
  links.id = H5L_TYPE_EXTERNAL;
  links.trav_func = follow;
  links.query_func = tell;
  check (H5Lregister (&links), "HDF5");
}

void check_within (const std::string &path)
{
  try {
    if (confinement && !path.empty ())
      confinement->check (path);
  } catch (const Error &e) {
    throw Outside (e.code, e.what ());
  }
}

std::string take_refusal ()
{
  return std::exchange (refusal, {});
}

std::string folder_of_file (const std::string &path)
{
  const auto slash = path.rfind ('/');
  return slash == path.npos ? std::string (".") : path.substr (0, slash + 1);
}

std::string join_path (const std::string &folder, const std::string &name)
{
  return folder.empty () || folder.ends_with ('/') ? folder + name : folder + "/" + name;
}

std::string find_file (const std::string &name, const std::string &home, const char *variable)
{
  if (name == ".")
    return home;
  std::vector<std::string> folders;
  if (const char *prefixes = std::getenv (variable)) {
    auto words = split (prefixes, ':');
    if (words.back ().empty ()) // HDF5 ignores an empty last word
      words.pop_back ();
    for (const auto &word : words)
      folders.push_back (word.starts_with ("${ORIGIN}") ? folder_of_file (home) + word.substr (9) : word);
  }
  std::error_code ignored;
  folders.push_back (folder_of_file (home));
  folders.push_back ("");
  folders.push_back (folder_of_file (std::filesystem::canonical (home, ignored).string ()));
  if (name.starts_with ('/') && is_file (name))
    return name;
  const auto relative = name.starts_with ('/') ? name.substr (name.rfind ('/') + 1) : name;
  for (const auto &folder : folders)
    if (auto path = join_path (folder, relative); is_file (path))
      return path;
  return {};
}

std::string file_path (hid_t object)
{
  const auto n = H5Fget_name (object, nullptr, 0);
  check (n < 0 ? -1 : 0, "HDF5");
  std::string path (static_cast<size_t> (n), '\0');
  check (H5Fget_name (object, path.data (), path.size () + 1) < 0 ? -1 : 0, "HDF5");
  return path;
}

} // namespace sino::hdf5
