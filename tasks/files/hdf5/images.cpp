// SPDX-License-Identifier: LGPL-3.0-or-later
// HDF5 as a format to read: finds the dataset and the data beside it.
#include "base/error.hpp"
#include "formats/formats.hpp"
#include "tasks/files/hdf5/angles.hpp"
#include "tasks/files/hdf5/nxtomo.hpp"
#include "tasks/files/hdf5/stack.hpp"
#include <algorithm>

namespace sino::files {

using namespace formats;

namespace {

class Hdf5Images final : public ImageFile
{
public:
  Hdf5Images (const ReadRequest &request, std::shared_ptr<const Hdf5File> f, std::string d,
              std::vector<std::string> &messages)
      : ImageFile (request.path, open_hdf5_stack (f, d, request.missing, messages, request.growing)),
        file (std::move (f)), dataset (std::move (d)), missing (request.missing)
  {
  }

  std::string place (const std::string &name) const override
  {
    if (name.starts_with ('/'))
      return name;
    return name.empty () ? dataset : dataset.substr (0, dataset.rfind ('/') + 1) + name;
  }
  int64_t count (const std::string &name) const override { return file->count (place (name)); }
  std::vector<double> numbers (const std::string &name, int64_t wanted) const override
  {
    return file->numbers (place (name), wanted);
  }
  std::optional<double> number_attribute (const std::string &name, const char *attribute) const override
  {
    return file->number_attribute (place (name), attribute);
  }
  std::string text_attribute (const std::string &name, const char *attribute) const override
  {
    return file->text_attribute (place (name), attribute);
  }
  std::string angle_list (std::span<const int64_t> counts) const override { return find_angles (*file, counts); }
  std::shared_ptr<const Stack> frames (const std::string &name, std::vector<std::string> &messages) const override
  {
    return file->exists (place (name)) ? open_hdf5_stack (file, place (name), missing, messages) : nullptr;
  }

private:
  std::shared_ptr<const Hdf5File> file;
  std::string dataset;
  Missing missing;
};

// "/exchange/data (181 x 2 x 640)"
std::string describe (const Hdf5File::Listed &found)
{
  if (found.extent.empty ())
    return found.name + " (a broken link)";
  const auto size = join (found.extent, " x ", [] (auto n) { return text ("%" G_GUINT64_FORMAT, n); });
  return found.name + " (" + size + ")";
}

// Datasets that can hold a stack of images, each once, with its NXtomo name if it has one.
std::vector<const Hdf5File::Listed *> stacks_of (const std::vector<Hdf5File::Listed> &all)
{
  std::vector<const Hdf5File::Listed *> stacks;
  for (const auto &found : all) {
    if (found.extent.size () != 3)
      continue;
    const auto known = std::ranges::find_if (stacks, [&] (auto *other) { return other->identity == found.identity; });
    if (known == stacks.end ())
      stacks.push_back (&found);
    else if (is_nxtomo_name (found.name) && !is_nxtomo_name ((*known)->name))
      *known = &found;
  }
  return stacks;
}

// Advice on how to name a dataset in the property of the file.
std::string remedy (const Hdf5File &file, const std::string &images)
{
  return images == "data" ? "set dataset="
                          : text ("name the dataset as in %s=%s:/NAME", images == "data_dark" ? "darks" : "flats",
                                  file.path.c_str ());
}

// The only stack of images, or the only one in a detector group.
// `growing`: more of them may come, so only that of a detector is the right one for sure.
std::string find_only (const Hdf5File &file, const std::string &images, const std::vector<Hdf5File::Listed> &all,
                       bool growing)
{
  const auto stacks = stacks_of (all);
  std::vector<std::string> detectors, others;
  for (const auto *stack : stacks)
    (is_nxtomo_name (stack->name) ? detectors : others).push_back (describe (*stack));
  const bool single = stacks.size () == 1 && !growing;
  if (single || detectors.size () == 1)
    for (const auto *stack : stacks)
      if (single || is_nxtomo_name (stack->name))
        return stack->name;
  const auto how = remedy (file, images);
  if (detectors.size () > 1)
    fail (SINO_ERROR_BAD_FILE, "'%s' has images of several detectors, %s to one of them: %s", file.path.c_str (),
          how.c_str (), first_of (detectors).c_str ());
  std::vector<std::string> described;
  for (const auto &found : all)
    described.push_back (describe (found));
  if (described.empty ())
    fail (SINO_ERROR_BAD_FILE, "'%s' has no /exchange/%s: it has no dataset of images", file.path.c_str (),
          images.c_str ());
  fail (SINO_ERROR_BAD_FILE, "'%s' has no /exchange/%s, %s: it has %s", file.path.c_str (), images.c_str (),
        how.c_str (), first_of (described).c_str ());
}

// The named dataset, otherwise the usual one, otherwise the only one that can hold images.
std::string find_dataset (const Hdf5File &file, std::string wanted, const std::string &images, bool growing)
{
  if (!wanted.empty () && !wanted.starts_with ('/'))
    wanted = "/" + wanted;
  if (wanted.empty ()) {
    for (const auto &name : {"/exchange/" + images, std::string ("/exchange/data")})
      if (file.exists (name))
        return name;
    return find_only (file, images, file.list (), growing);
  }
  if (file.exists (wanted))
    return wanted;
  std::vector<std::string> names, described;
  for (const auto &found : file.list ()) {
    names.push_back (found.name);
    described.push_back (describe (found));
  }
  const auto meant = did_you_mean (wanted, names, " (");
  fail (SINO_ERROR_BAD_FILE, "'%s' has no dataset '%s'%s%s: it has %s", file.path.c_str (), wanted.c_str (),
        meant.c_str (), meant.empty () ? "" : ")",
        described.empty () ? "no dataset of images" : first_of (described).c_str ());
}

std::shared_ptr<const ImageFile> open_hdf5 (const ReadRequest &request, std::vector<std::string> &messages)
{
  const auto file = std::make_shared<const Hdf5File> (request.paths[0], request.growing);
  return std::make_shared<Hdf5Images> (
      request, file, find_dataset (*file, request.dataset, request.images, request.growing), messages);
}

const Registered<ReadingFormat> hdf5 ({.name = "HDF5",
                                       .recognised = is_hdf5,
                                       .suffixes = {".h5", ".hdf5", ".hdf", ".nxs", ".nx", ".he5"},
                                       .datasets = true,
                                       .open = open_hdf5});

} // namespace
} // namespace sino::files
