// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/confinement.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sino {

namespace fs = std::filesystem;

// Resolves links in the part of the path that exists; the rest is kept as it is.
static std::string resolve (const std::string &path)
{
  std::error_code failed;
  const auto whole = fs::weakly_canonical (fs::absolute (path, failed), failed);
  if (failed)
    fail_file ("cannot find", path, failed.value ());
  return whole.string ();
}

static bool is_within (const std::string &place, const std::string &folder)
{
  return place == folder || place.starts_with (folder.ends_with ('/') ? folder : folder + '/');
}

Confinement::Confinement (const std::string &folder)
    : descriptor (open (folder.c_str (), O_PATH | O_DIRECTORY | O_CLOEXEC))
{
  if (descriptor < 0)
    fail_file ("cannot confine a run to", folder, errno);
  folder_ = resolve (folder);
}

void Confinement::refuse (const std::string &path, const std::string &place) const
{
  std::error_code ignored;
  const bool linked = fs::absolute (path, ignored).lexically_normal () != place;
  const auto leads = linked ? text (" (which leads to '%s')", place.c_str ()) : std::string ();
  fail (SINO_ERROR_BAD_FILE,
        "'%s'%s is outside '%s', to which this run is confined: put it there, or confine the run to a folder that "
        "contains both",
        path.c_str (), leads.c_str (), folder_.c_str ());
}

void Confinement::check (const std::string &path) const
{
  if (const auto place = resolve (path); !is_within (place, folder_))
    refuse (path, place);
}

void Confinement::check_place (const std::string &path) const
{
  const auto place = resolve (folder_of (path));
  if (const auto name = file_name (path); !is_within (place, folder_) || name == "." || name == "..")
    refuse (path, place + '/' + name);
}

int Confinement::open_to_read (const std::string &path, int flags) const
{
  const auto place = resolve (path);
  if (!is_within (place, folder_))
    refuse (path, place);
  const auto inner = place == folder_ ? "." : place.substr (folder_.ends_with ('/') ? 1 : folder_.size () + 1);
  open_how how{};
  how.flags = static_cast<uint64_t> (flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const auto file = static_cast<int> (syscall (SYS_openat2, int{descriptor}, inner.c_str (), &how, sizeof how));
  return file < 0 && (errno == ENOSYS || errno == EPERM) ? openat (descriptor, inner.c_str (), flags) : file;
}

const Confinement *Confinement::current ()
{
  const auto *monitor = worked_for ();
  return monitor ? monitor->confinement.get () : nullptr;
}

void check_confined (const std::string &path)
{
  if (const auto *confinement = Confinement::current ())
    confinement->check (path);
}

void check_place_confined (const std::string &path)
{
  if (const auto *confinement = Confinement::current ())
    confinement->check_place (path);
}

} // namespace sino
