// SPDX-License-Identifier: LGPL-3.0-or-later
// Names of files: their groups, the patterns of these, and what their words say. Costs nothing.
#include "formats/name-groups.hpp"
#include "formats/name-words.hpp"
#include "tests/support/expect.hpp"
#include <algorithm>

namespace sino::test::names_test {

using namespace formats;
using Names = std::vector<std::string>;

static Names numbered (const char *format, int begin, int end, int step = 1)
{
  Names names;
  for (int i = begin; i < end; i += step)
    names.push_back (text (format, i, i));
  return names;
}

static Names operator+ (Names a, const Names &b)
{
  a.insert (a.end (), b.begin (), b.end ());
  return a;
}

// "pattern: 3, other: 1"
static std::string groups_text (const Names &names)
{
  return join (group_names (names), ", ", [] (const NameGroup &group) {
    return group.pattern + text (": %zu", group.names.size ()) + (group.doubt.empty () ? "" : " in doubt");
  });
}

static void groups ()
{
  same (groups_text ({}), "");
  same (groups_text ({"a.tif"}), "a.tif: 1");
  same (groups_text (numbered ("p_%04d.tif", 0, 12)), "p_%04i.tif: 12");
  same (groups_text (numbered ("p%d.tif", 1, 12)), "p%i.tif: 11");
  same (groups_text (numbered ("scan (%d).tif", 1, 12)), "scan (%i).tif: 11");
  same (groups_text (numbered ("scan.%03d", 1, 12)), "scan.%03i: 11");
  same (groups_text (numbered ("100%%_%d.tif", 1, 4)), "100%%_%i.tif: 3");
  same (groups_text (numbered ("t_%04d.tif", 0, 9) + numbered ("t_flat_%04d.tif", 0, 5) +
                     numbered ("t_dark_%04d.tif", 0, 4)),
        "t_%04i.tif: 9, t_dark_%04i.tif: 4, t_flat_%04i.tif: 5");
  // Letters of a suffix are small or not.
  same (groups_text ({"a_1.tif", "a_2.TIF", "a_3.png"}), "a_%i.tif: 2, a_3.png: 1");
  // A number that differs in all names, beside others.
  same (groups_text (numbered ("p_%04d_at_%02d.tif", 0, 9)), "p_%04i_at_%02i.tif: 9");
  same (groups_text ({"p_1_9.tif", "p_2_9.tif", "p_3_7.tif"}), "p_%i_%i.tif: 3");
  // A number that says which scan it is.
  same (groups_text (numbered ("scan1_%03d.tif", 0, 9) + numbered ("scan2_%03d.tif", 0, 9)),
        "scan1_%03i.tif: 9, scan2_%03i.tif: 9");
  same (groups_text (numbered ("%03d_1.tif", 0, 9) + numbered ("%03d_2.tif", 0, 9)), "%03i_1.tif: 9, %03i_2.tif: 9");
  // Decimal numbers, as angles are.
  Names angles;
  for (int i = 0; i < 20; i++)
    angles.push_back (text ("p_%06.2f.tif", 0.5 * i));
  same (groups_text (angles), "p_%03i.%02i.tif: 20");
  angles.erase (angles.begin () + 7); // a file is missing
  same (groups_text (angles), "p_%03i.%02i.tif: 19");
  same (groups_text (numbered ("tomo_%012d.tif", 0, 9)), "tomo_%012i.tif: 9");
  same (groups_text (numbered ("scan1.%03d.tif", 1, 9) + numbered ("scan2.%03d.tif", 1, 9)),
        "scan1.%03i.tif: 8, scan2.%03i.tif: 8");
}

static void doubts ()
{
  // By name 000001_4 is first, by the number that differs in all names it is last.
  same (groups_text ({"230000_1.tif", "230001_2.tif", "235959_3.tif", "000001_4.tif"}), "%06i_%i.tif: 4 in doubt");
  same (groups_text ({"p_0.5.tif", "p_0.75.tif", "p_1.0.tif", "p_1.25.tif"}), "p_%i.%i.tif: 4 in doubt");
  same (groups_text ({"p_0.25.tif", "p_0.5.tif", "p_0.75.tif"}), "p_0.%i.tif: 3 in doubt");
  same (groups_text (numbered ("run.2.%d.tif", 8, 12)), "run.2.%i.tif: 4"); // a counter
  // The fraction, or the time of a day, is no counter.
  same (groups_text ({"p_0000_0.00.tif", "p_0001_1.37.tif", "p_0002_2.74.tif", "p_0003_4.11.tif"}),
        "p_%04i_%i.%02i.tif: 4");
  same (groups_text ({"20230101_235958.tif", "20230101_235959.tif", "20230102_000000.tif"}), "%08i_%06i.tif: 3");
}

static void patterns ()
{
  const std::tuple<const char *, const char *, bool> cases[] = {
      {"t_%04i.tif", "t_0001.tif", true},
      {"t_%04i.tif", "t_12345.tif", true},
      {"t_%04i.tif", "t_flat_0001.tif", false},
      {"t_%i.tif", "t_.tif", false},
      {"t_%i.tif", "t_1.TIF", true},
      {"T_%i.tif", "t_1.tif", false},
      {"%i_%03d.tif", "17_004.tif", true},
      {"%i_%03d.tif", "17_.tif", false},
      {"%i5.tif", "155.tif", true},
      {"50%%_%i.tif", "50%_3.tif", true},
      {"50%%_%i.tif", "50%%_3.tif", false},
      {"t_%i.tif", "t_1.tif~", false},
      {"scan (%i).tif", "scan (1).tif", true},
      {"t_%012i.tif", "t_000000000017.tif", true},
  };
  for (const auto &[pattern, name, wanted] : cases)
    if (matches_pattern (pattern, name) != wanted)
      g_error ("'%s' and '%s'", pattern, name);
  for (const char *pattern : {"%i", "a%03d.tif", "50%%_%i"})
    g_assert_true (is_number_pattern (pattern));
  for (const char *pattern : {"", "a.tif", "50%.tif", "50%%", "%s", "%.2f", "%", "%i%"})
    g_assert_false (is_number_pattern (pattern));
  same (unescaped_pattern (escaped_pattern ("50% of %% it")), "50% of %% it");
}

static void words ()
{
  same (join (words_of ("Flat_Before-01 darkField2x"), " "), "flat before dark field x");
  same (join (words_of ("T_0001"), " "), "t");
  const std::tuple<const char *, Role, Time, bool> cases[] = {
      {"proj", Role::projections, Time::unsaid, true},         {"flats", Role::flats, Time::unsaid, true},
      {"FlatField_after", Role::flats, Time::after, true},     {"darks_pre", Role::darks, Time::before, true},
      {"flatafter", Role::flats, Time::after, true},           {"darkwood", Role::projections, Time::unsaid, false},
      {"dark wood", Role::darks, Time::unsaid, false},         {"open_cell_foam", Role::flats, Time::unsaid, false},
      {"openbeam", Role::flats, Time::unsaid, true},           {"dark_flat", Role::several, Time::unsaid, true},
      {"slices", Role::results, Time::unsaid, true},           {"refined", Role::projections, Time::unsaid, false},
      {"before_after", Role::projections, Time::unsaid, true},
  };
  for (const auto &[name, role, time, sure] : cases) {
    const auto meaning = meaning_of (words_of (name));
    if (meaning.role != role || meaning.time != time || meaning.sure != sure)
      g_error ("'%s': %d %d %d", name, static_cast<int> (meaning.role), static_cast<int> (meaning.time), meaning.sure);
  }
}

// Groups, whatever names are in them, are told apart by their patterns.
static void no_pattern_takes_another_group ()
{
  const auto some = [] (int n) {
    static const char *const parts[] = {"tomo", "_", "flat", "1", "20", "0", ".", "%", " (", ")", "-", "A"};
    std::string name;
    for (int i = g_random_int_range (1, 6); i > 0; i--)
      name += parts[g_random_int_range (0, G_N_ELEMENTS (parts))];
    return name + std::to_string (n) + ".tif";
  };
  for (int round = 0; round < 300; round++) {
    Names names;
    for (int i = 0; i < 40; i++)
      names.push_back (some (g_random_int_range (0, 200)));
    std::ranges::sort (names);
    names.erase (std::unique (names.begin (), names.end ()), names.end ());
    size_t count = 0;
    for (const auto &group : group_names (names)) {
      count += group.names.size ();
      const auto taken = static_cast<size_t> (
          std::ranges::count_if (names, [&] (const auto &name) { return matches_pattern (group.pattern, name); }));
      g_assert_cmpuint (taken, ==, group.names.size ());
      g_assert_true (std::ranges::is_sorted (group.names, natural_less));
    }
    g_assert_cmpuint (count, ==, names.size ());
  }
}

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/names/groups", groups);
  g_test_add_func ("/names/doubts", doubts);
  g_test_add_func ("/names/patterns", patterns);
  g_test_add_func ("/names/words", words);
  g_test_add_func ("/names/no-pattern-takes-another-group", no_pattern_takes_another_group);
  return g_test_run ();
}

} // namespace sino::test::names_test
