// SPDX-License-Identifier: LGPL-3.0-or-later
// The command 'new': writes a project with its own node, which can be built and tested at once.
#include "base/files/paths.hpp"
#include "base/files/temporary-folder.hpp"
#include "base/text.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/templates.hpp"
#include "glue/node-name.hpp"
#include "glue/registry.hpp"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace sino::cli {

namespace {

void replace_all (std::string &text, const std::string &from, const std::string &to)
{
  for (auto at = text.find (from); at != text.npos; at = text.find (from, at + to.size ()))
    text.replace (at, from.size (), to);
}

// Replaces the name of the templates' node by the new name, in each spelling: my-gain, my_gain, MyGain, MY_GAIN.
std::string renamed (std::string text, const std::string &name)
{
  std::string snake = name, camel, upper;
  std::ranges::replace (snake, '-', '_');
  for (const auto &word : split (name, '-'))
    camel += static_cast<char> (g_ascii_toupper (word.front ())) + word.substr (1);
  for (const char c : snake)
    upper += static_cast<char> (g_ascii_toupper (c));
  replace_all (text, "my-gain", name);
  replace_all (text, "my_gain", snake);
  replace_all (text, "MyGain", camel);
  replace_all (text, "MY_GAIN", upper);
  return text;
}

void check_name (const std::string &name)
{
  if (!is_node_name (name))
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("'%s' cannot be the name of a node: it must be lower-case words joined by '-', such as my-gain",
                       CharPtr (g_utf8_make_valid (name.c_str (), -1)).get ()));
  if (std::ranges::count (Registry::get ().names (), name) > 0)
    throw Wrong (SINO_ERROR_EXISTS, text ("a node '%s' exists already: add a prefix of your own", name.c_str ()));
}

void write_file (const std::string &path, const std::string &shown, const std::string &text)
{
  std::error_code failed;
  std::filesystem::create_directories (folder_of (path), failed);
  if (failed)
    fail_file ("cannot create", folder_of (shown), failed.value ());
  errno = 0;
  std::ofstream file (path, std::ios::binary);
  file << text;
  file.close ();
  if (!file)
    fail_file ("cannot write", shown, errno ? errno : EIO);
}

// Writes to a temporary name until it is complete, so that no project is half written.
void write_project (const std::string &folder, const std::string &language, const std::string &name)
{
  struct stat status {
  };
  if (lstat (folder.c_str (), &status) == 0)
    fail (SINO_ERROR_EXISTS, "'%s' exists already: name another folder with --folder", folder.c_str ());
  UnfinishedFolder project (folder);
  for (size_t i = 0; i < template_count; i++) {
    const auto &[set, path, text] = templates[i];
    if (set == language || set == std::string_view ("both")) {
      const auto file = "/" + renamed (path, name);
      write_file (project.path () + file, folder + file, renamed (text, name));
    }
  }
  project.commit (false);
}

} // namespace

int make_new (int argc, char **argv)
{
  const char *folder_given = nullptr, *language_given = nullptr;
  const auto arguments = parse (
      argc, argv, "new filter NAME",
      "Writes a Meson project with a node of that name into a new folder: its source, its OpenCL kernels, its page "
      "and\nits test. It can be built and tested at once, with the installed Sinograph. In C++ (the default) the node "
      "has\nOpenCL kernels, and works only with the build of Sinograph that it was built with; in C it has no OpenCL "
      "kernels,\nand also works with later versions.",
      {{"folder", 'f', 0, G_OPTION_ARG_FILENAME, &folder_given, "Folder to create; NAME, if not given", "FOLDER"},
       {"language", 'l', 0, G_OPTION_ARG_FILENAME, &language_given, "c or c++, the default", "LANGUAGE"}});
  if (arguments.size () != 2)
    throw Wrong (SINO_ERROR_BAD_PROPERTY,
                 text ("new wants two words, as 'sinograph new filter my-gain', got %zu", arguments.size ()));
  if (arguments[0] != std::string_view ("filter"))
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("new can create a 'filter', not '%s'", arguments[0]));
  const std::string name = arguments[1], language = language_given ? language_given : "c++";
  if (language != "c" && language != "c++")
    throw Wrong (SINO_ERROR_BAD_PROPERTY, text ("--language wants c or c++, got '%s'", language.c_str ()));
  check_name (name);
  std::string folder = folder_given ? folder_given : name;
  while (folder.size () > 1 && folder.ends_with ('/'))
    folder.pop_back ();
  if (folder.empty ())
    throw Wrong (SINO_ERROR_BAD_PROPERTY, "--folder wants the name of a folder, got ''");
  write_project (folder, language, name);
  const auto shown = shell_word (folder);
  printf ("%s contains the node '%s', its page and its test. To build and test it, and to inspect it:\n\n  cd %s\n  "
          "meson setup build && meson test -C build\n  SINOGRAPH_PLUGIN_PATH=$PWD/build sinograph inspect %s\n",
          shown.c_str (), name.c_str (), shown.c_str (), name.c_str ());
  return done;
}

} // namespace sino::cli
