// SPDX-License-Identifier: LGPL-3.0-or-later
// Which device gets the next work item, in a time of its own: no device stands idle that could help, the last items go
// where they end first, and there is always one that takes the next.
#include "pass/handout.hpp"
#include <algorithm>
#include <glib.h>
#include <random>

namespace sino::test::handout_test {

namespace {

using Seconds = std::chrono::duration<double>;

struct Worked {
  std::vector<size_t> items; // per replica
  double seconds = 0;        // until the last one ended
};

// Replicas that take items as soon as they should, and do one after the other. `in_order`: an item ends when those
// before it have ended.
Worked work (size_t items, const std::vector<double> &seconds, const std::vector<double> &expected,
             bool in_order = false)
{
  struct Item {
    size_t number;
    double ready;
  };
  Handout handout (items, expected, in_order);
  Worked worked{std::vector<size_t> (seconds.size ()), 0};
  std::vector<std::deque<Item>> begun (seconds.size ());
  std::vector<double> free (seconds.size ());
  double now = 0;
  size_t ended = 0;
  const auto time = [&] {
    return Handout::Time (std::chrono::duration_cast<Handout::Time::duration> (Seconds (1 + now)));
  };
  while (ended < items) {
    for (bool any = true; any;) {
      any = false;
      for (size_t r = 0; r < seconds.size (); r++)
        if (handout.may_take (r)) {
          free[r] = std::max (free[r], now) + seconds[r];
          begun[r].push_back ({handout.take (r, time ()), free[r]});
          any = true;
        }
    }
    // The item that ends next.
    size_t next = seconds.size ();
    for (size_t r = 0; r < seconds.size (); r++)
      if (!begun[r].empty () && (!in_order || begun[r][0].number == ended) &&
          (next == seconds.size () || begun[r][0].ready < begun[next][0].ready))
        next = r;
    g_assert_cmpuint (next, <, seconds.size ()); // else nobody would ever take what is left
    now = std::max (now, begun[next][0].ready);
    begun[next].pop_front ();
    handout.end (next, time ());
    worked.items[next]++;
    ended++;
  }
  worked.seconds = now;
  return worked;
}

void equal ()
{
  for (const size_t number : {1, 2, 3, 8}) {
    const auto worked = work (48, std::vector<double> (number, 0.5), std::vector<double> (number, 0));
    for (const auto items : worked.items)
      g_assert_cmpuint (items, ==, 48 / number);
  }
}

// Nothing is known of how slow it is, or it was thought to be fast; then it is known.
void slow ()
{
  for (const double expected : {0, 1})
    for (const bool first : {true, false}) {
      const auto worked = work (40, first ? std::vector{1.0, 0.1} : std::vector{0.1, 1.0}, {expected, expected});
      const auto slow = worked.items[first ? 0 : 1];
      g_assert_cmpuint (slow, >=, 2);
      g_assert_cmpfloat (worked.seconds, <=, 4);
    }
  // So slow that it would only hold the others up, which is known.
  const auto known = work (10, {100, 1}, {100, 1});
  g_assert_cmpuint (known.items[0], ==, 0);
  g_assert_cmpfloat (known.seconds, <, 10.001);
  // Some help is welcome.
  const auto welcome = work (100, {10, 1}, {10, 1});
  g_assert_cmpuint (welcome.items[0], ==, 9);
  g_assert_cmpfloat (welcome.seconds, <, 91.001);
}

// Of replicas with any speeds, well or badly known: all items end, and not much later than if nobody was ever idle.
void any ()
{
  std::mt19937 random (1);
  const auto pick = [&] (int least, int most) {
    return least + static_cast<int> (random () % static_cast<unsigned> (most - least + 1));
  };
  for (int i = 0; i < 2000; i++) {
    const auto number = static_cast<size_t> (pick (1, 6)), items = static_cast<size_t> (pick (1, 200));
    std::vector<double> seconds, expected;
    double rate = 0;
    const bool known = i % 2, in_order = i % 3 == 0;
    for (size_t r = 0; r < number; r++) {
      seconds.push_back (pick (1, 20) / 10.0);
      expected.push_back (known ? seconds.back () : 0);
      rate += 1 / seconds.back ();
    }
    const auto worked = work (items, seconds, expected, in_order);
    if (known && !in_order) {
      const auto most = static_cast<double> (items) / rate + 1.1 * *std::ranges::max_element (seconds);
      g_assert_cmpfloat (worked.seconds, <=, most);
    }
  }
}

// A file is written in order: the fast device does not wait for one that is so slow that it comes no further than it
// would alone.
void in_order ()
{
  const auto alone = work (40, {0.1}, {1}, true), both = work (40, {0.1, 1}, {0.1, 1}, true);
  g_assert_cmpfloat (both.seconds, <=, alone.seconds + 1e-6);
  const auto alike = work (40, {1, 1.5}, {1, 1.5}, true);
  g_assert_cmpuint (alike.items[1], >=, 10);
}

// What a device had begun that is gone goes to the others, and there is an end only when they have ended it.
void dropped ()
{
  const Handout::Time now{std::chrono::seconds (1)};
  Handout handout (3, {1, 1}, false);
  const auto lost = handout.take (0, now);
  handout.take (1, now);
  handout.drop (0, {lost});
  g_assert_false (handout.may_take (0));
  g_assert_cmpuint (handout.left (), ==, 2);
  g_assert_true (handout.may_take (1));
  g_assert_cmpuint (handout.take (1, now), ==, lost);
  handout.end (1, now);
  handout.end (1, now);
  g_assert_false (handout.ended ());
  g_assert_cmpuint (handout.take (1, now), ==, 2);
  g_assert_false (handout.ended ());
  handout.end (1, now);
  g_assert_true (handout.ended ());
}

// Another process takes items, too: each is asked for, and what a device has lost is not.
void shared ()
{
  const Handout::Time now{std::chrono::seconds (1)};
  Handout handout (10, {1, 1}, false, 2);
  std::vector<size_t> taken;
  for (size_t place : {0, 2, 7}) {
    g_assert_true (handout.may_take (0));
    g_assert_true (handout.wants_place ());
    handout.give_place (place);
    g_assert_false (handout.wants_place ());
    taken.push_back (handout.take (0, now));
    if (place < 7)
      handout.end (0, now);
  }
  g_assert_true (taken == std::vector<size_t> ({0, 2, 7}));
  g_assert_cmpuint (handout.left (), ==, 2);
  handout.drop (0, {7});
  g_assert_false (handout.wants_place ()); // first that one
  g_assert_cmpuint (handout.take (1, now), ==, 7);
  g_assert_true (handout.wants_place ());
  handout.give_place (12);
  g_assert_cmpuint (handout.left (), ==, 0);
  g_assert_false (handout.may_take (1));
  g_assert_false (handout.ended ());
  handout.end (1, now);
  g_assert_true (handout.ended ());
  // A single device does not take all at once.
  Handout alone (100, {1}, false, 8);
  int begun = 0;
  for (; alone.may_take (0); begun++) {
    alone.give_place (static_cast<size_t> (begun));
    alone.take (0, now);
  }
  g_assert_cmpint (begun, ==, 2);
  // Where there are few, one that has something leaves them to others.
  Handout few (9, {1}, false, 8);
  few.give_place (0);
  few.take (0, now);
  g_assert_true (few.may_take (0));
  few.give_place (2);
  few.take (0, now);
  few.end (0, now);
  g_assert_false (few.may_take (0));
  few.end (0, now);
  g_assert_true (few.may_take (0));
  // A place that is ours is taken all the same.
  few.give_place (3);
  few.take (0, now);
  few.know_place (7);
  g_assert_false (few.may_take (0));
  few.give_place (8);
  g_assert_true (few.may_take (0));
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/handout/equal", equal);
  g_test_add_func ("/handout/slow", slow);
  g_test_add_func ("/handout/any", any);
  g_test_add_func ("/handout/in-order", in_order);
  g_test_add_func ("/handout/dropped", dropped);
  g_test_add_func ("/handout/shared", shared);
  return g_test_run ();
}

} // namespace sino::test::handout_test
