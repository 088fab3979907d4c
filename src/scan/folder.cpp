// SPDX-License-Identifier: LGPL-3.0-or-later
#include "scan/folder.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "base/files/number-file.hpp"
#include "base/shown.hpp"
#include "base/text.hpp"
#include "scan/image-groups.hpp"
#include <algorithm>
#include <cmath>

namespace sino::scan {

namespace {

using formats::Role;
using formats::Time;

// A group with fewer than a tenth of the projections' files is not a scan of its own; nor are a few images beside a
// file that may hold a whole scan.
constexpr size_t least_share = 10, few_images = 3;

using Groups = std::vector<ImageGroup *>;

std::string files_text (size_t n)
{
  return text ("%5zu file%s", n, n == 1 ? " " : "s");
}

// "  projections   180 files  tomo_%04i.tif"
std::string line (const char *what, const ImageGroup &group, const std::string &note = {})
{
  return text ("  %-12s ", what) + files_text (group.count ()) + "  " + shown (group.short_path ()) +
         (note.empty () ? "" : ": " + note) + "\n";
}

// Assigns roles to the groups, or throws.
class Sorting
{
public:
  Sorting (const std::string &f, std::vector<ImageGroup> g, const KnownParts &k)
      : folder (f), groups (std::move (g)), known (k)
  {
  }

  void sort (ScanFolder &found)
  {
    for (auto &group : groups)
      by_role[static_cast<size_t> (group.meaning.role)].push_back (&group);
    const auto &projections = choose_projections ();
    if (const auto &mixed = of (Role::several); !mixed.empty ())
      fail_open (text ("the names of '%s' fit several kinds of images", mixed[0]->short_path ().c_str ()), projections);
    if (!projections.doubt ().empty ())
      fail (SINO_ERROR_BAD_FILE, "'%s': %s: give a pattern with * instead, to take the files sorted by name",
            projections.path ().c_str (), projections.doubt ().c_str ());
    found.projections = projections.path ();
    found.table += line ("projections", projections);
    place (Role::flats, known.flats, known.flats_after, projections, {"flats", "flats after"}, found.flats,
           found.flats_after, found.table);
    place (Role::darks, known.darks, known.darks_after, projections, {"darks", "darks after"}, found.darks,
           found.darks_after, found.table);
    for (const auto *group : left_out)
      found.table += line ("left out", *group, "too few to be a scan");
    for (const auto *group : of (Role::results))
      found.table += line ("left out", *group, "results of a scan, according to its name");
  }

private:
  const std::string &folder;
  std::vector<ImageGroup> groups;
  const KnownParts &known;
  Groups by_role[5], left_out;

  Groups &of (Role role) { return by_role[static_cast<size_t> (role)]; }

  const ImageGroup &choose_projections ()
  {
    auto &plain = of (Role::projections);
    if (plain.empty ()) { // the sample's name may look like another role
      auto named = of (Role::results);
      for (const auto role : {Role::flats, Role::darks, Role::several})
        std::ranges::copy_if (of (role), std::back_inserter (named),
                              [] (const auto *group) { return !group->meaning.sure; });
      if (named.size () == 1) {
        std::erase (of (named[0]->meaning.role), named[0]);
        plain = named;
      } else
        fail_none ();
    }
    const auto most = std::ranges::max (plain, {}, &ImageGroup::count);
    const bool containers = std::ranges::any_of (plain, &ImageGroup::container);
    for (auto *group : plain)
      if (containers ? !group->container && group->count () <= few_images
                     : group->count () * least_share <= most->count ())
        left_out.push_back (group);
    std::erase_if (plain, [&] (const auto *group) { return std::ranges::count (left_out, group) > 0; });
    if (plain.size () > 1)
      fail_open (text ("%zu groups of its files may be the projections", plain.size ()), *most);
    return *plain[0];
  }

  // Assigns the groups of a role to the time before or after the projections.
  void place (Role role, bool given, bool given_after, const ImageGroup &projections, const char *const (&names)[2],
              std::string &before, std::string &after, std::string &table)
  {
    const auto &some = of (role);
    if (given) {
      for (const auto *group : some)
        table += line ("left out", *group, text ("--%s is given", names[0]));
      return;
    }
    for (const auto *group : some)
      if (!group->meaning.sure && 2 * group->count () > projections.count ())
        fail_open (text ("'%s' may be %s or a separate scan", group->short_path ().c_str (), names[0]), projections);
    if (some.empty ())
      return;
    const bool single = some.size () == 1;
    const bool pair = some.size () == 2 && some[0]->meaning.time != Time::unsaid &&
                      some[1]->meaning.time != Time::unsaid && some[0]->meaning.time != some[1]->meaning.time;
    if (!single && !pair)
      fail_open (text ("%zu groups of its files may be the %s, and their names do not say whether they were taken "
                       "before or after",
                       some.size (), names[0]),
                 projections);
    for (const auto *group : some) {
      const bool late = group->meaning.time == Time::after;
      if (late && given_after) {
        table += line ("left out", *group, text ("other %s are given", names[1]));
        continue;
      }
      (late ? after : before) = group->path ();
      table += line (names[late ? 1 : 0], *group);
    }
  }

  std::string table () const
  {
    return join (groups, "",
                 [] (const auto &group) { return "\n  " + files_text (group.count ()) + "  " + group.short_path (); });
  }

  std::string options_for (Role role, const char *name)
  {
    return join (of (role), "", [&] (const auto *group) {
      return text ("\n  --%s%s=%s", name, group->meaning.time == Time::after ? "-after" : "",
                   shell_word (group->path ()).c_str ());
    });
  }

  [[noreturn]] void fail_open (const std::string &why, const ImageGroup &example)
  {
    fail (SINO_ERROR_BAD_FILE,
          "'%s': %s. Its groups are:%s\nGive the projections instead of the folder, with their flats and darks, for "
          "example:\n  sinograph reconstruct %s%s%s",
          folder.c_str (), why.c_str (), table ().c_str (), shell_word (example.path ()).c_str (),
          options_for (Role::flats, "flats").c_str (), options_for (Role::darks, "darks").c_str ());
  }

  [[noreturn]] void fail_none ()
  {
    fail (SINO_ERROR_BAD_FILE,
          "'%s' and its folders contain no images that could be projections: give the file of the scan, or a pattern "
          "of its projections%s%s",
          folder.c_str (), groups.empty () ? "" : ". It contains these files:", table ().c_str ());
  }
};

} // namespace

ScanFolder look_into (const std::string &folder, const KnownParts &known)
{
  auto seen = image_groups (folder, known.raw);
  ScanFolder found;
  Sorting (folder, std::move (seen.groups), known).sort (found);
  if (!known.angles && seen.angles.size () > 1)
    fail (SINO_ERROR_BAD_FILE, "'%s' contains several files of angles, %s: give one with --angles=", folder.c_str (),
          join (seen.angles, " and ", in_quotes).c_str ());
  for (const auto &path : seen.angles) {
    found.table += text ("  %-12s %s  %s%s\n", known.angles ? "left out" : "angles", files_text (1).c_str (),
                         shown (path).c_str (), known.angles ? ": --angles is given" : "");
    if (!known.angles)
      found.angles = text ("%s/%s", folder.c_str (), path.c_str ());
  }
  if (!seen.others.empty ())
    found.table += text ("  %-12s %s  %s%s: no images\n", "left out", files_text (seen.others.size ()).c_str (),
                         shown (seen.others[0]).c_str (), seen.others.size () > 1 ? " and others" : "");
  return found;
}

std::vector<double> angles_of_file (const std::string &path, int64_t projections, bool *all)
{
  const int64_t counts[] = {projections};
  std::string remarks;
  auto angles = read_numbers ("angles", "an angle in degrees", path, counts, 1e9, &remarks);
  const auto more = std::ssize (angles) - projections;
  *all = more == 0;
  if (more == 0)
    return angles;
  const auto [least, most] = std::ranges::minmax (angles);
  if (remarks.find ("rad") != remarks.npos || may_be_radians (std::ssize (angles), most - least))
    fail (SINO_ERROR_BAD_FILE,
          "'%s' has %zu angles for %" G_GINT64_FORMAT
          " projections, and may have radians: give --angles=FILE with one per projection",
          path.c_str (), angles.size (), projections);
  if (more > 0) {
    const double step =
        (angles.back () - angles.front ()) / static_cast<double> (std::max<int64_t> (projections - 1, 1));
    const auto away_from = [near = 0.05 * std::abs (step)] (double end) {
      return [end, near] (double angle) { return std::abs (angle - end) > near; };
    };
    const auto first = std::ranges::find_if (angles, away_from (angles.front ()));
    const auto last = std::find_if (angles.rbegin (), angles.rend (), away_from (angles.back ()));
    const auto before = first - angles.begin () - 1, after = last - angles.rbegin () - 1;
    if (before + after == more)
      return {angles.begin () + before, angles.end () - after};
  }
  fail (SINO_ERROR_BAD_FILE, "'%s' has %zu angles for %" G_GINT64_FORMAT " projections: give --angles=", path.c_str (),
        angles.size (), projections);
}

} // namespace sino::scan
