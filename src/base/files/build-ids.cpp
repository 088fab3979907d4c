// SPDX-License-Identifier: LGPL-3.0-or-later
// Reads build IDs: hashes that the linker writes into a note of each library.
#include "base/files/build-ids.hpp"
#include "base/digest.hpp"
#include "base/divide-up.hpp"
#include "base/files/input-file.hpp"
#include "base/files/paths.hpp"
#include "base/modules.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <link.h>
#include <set>

namespace sino {

namespace {

constexpr char owner[] = "GNU"; // owner of the note, with the final zero
constexpr size_t word = 4;      // alignment of the fields of a note

// The build ID among the notes of a segment; "" if there is none.
std::string id_in (const char *notes, size_t size)
{
  while (size >= sizeof (ElfW (Nhdr))) {
    const auto *head = reinterpret_cast<const ElfW (Nhdr) *> (notes);
    const auto padded = [] (size_t n) { return round_up (n, word); };
    const auto *name = notes + sizeof *head, *content = name + padded (head->n_namesz);
    const auto all = sizeof *head + padded (head->n_namesz) + padded (head->n_descsz);
    if (all > size)
      break;
    if (head->n_type == NT_GNU_BUILD_ID &&
        std::string_view (name, head->n_namesz) == std::string_view (owner, sizeof owner))
      return {content, head->n_descsz};
    notes += all;
    size -= all;
  }
  return {};
}

std::string id_of (const dl_phdr_info &object)
{
  for (size_t i = 0; i < object.dlpi_phnum; i++)
    if (const auto &segment = object.dlpi_phdr[i]; segment.p_type == PT_NOTE)
      if (auto id = id_in (reinterpret_cast<const char *> (object.dlpi_addr + segment.p_vaddr), segment.p_memsz);
          !id.empty ())
        return id;
  FileStamp stamp; // a library without a build ID
  find_stamp (object.dlpi_name, stamp);
  return text ("%lld %lld %lld", static_cast<long long> (stamp.size), static_cast<long long> (stamp.seconds),
               static_cast<long long> (stamp.nanoseconds));
}

struct Search {
  std::vector<std::string> folders;
  std::set<std::string> ids;
};

int look_at (dl_phdr_info *object, size_t, void *data)
{
  auto &search = *static_cast<Search *> (data);
  const std::string path = object->dlpi_name;
  if (file_name (path).starts_with ("libsinograph") ||
      std::ranges::find (search.folders, folder_of (path)) != search.folders.end ())
    search.ids.insert (id_of (*object));
  return 0;
}

} // namespace

std::string build_of_program ()
{
  Search search{module_folders (), {}};
  dl_iterate_phdr (look_at, &search);
  std::string all;
  for (const auto &id : search.ids)
    all += id;
  return digest_of (all);
}

} // namespace sino
