// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties from text and JSON: what is taken, what is refused, and with which words.
#include "graph/properties.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"
#include "graph/snapshot.hpp"
#include "tests/support/expect.hpp"
#include <json-glib/json-glib.h>

namespace sino::test::properties_test {

namespace {

struct Fixture {
  Graph graph;
  const Node &node;
  Fixture () : node (graph.nodes ()[graph.add ("test-filter", "f")]) {}

  GParamSpec *spec (const char *name) const
  {
    return g_object_class_find_property (G_OBJECT_GET_CLASS (node.task.get ()), name);
  }
  std::string get (const char *name) const { return property_text (node.task.get (), spec (name)); }
  void set (const char *name, const char *word) const { set_property (node, name, std::string (word)); }
  void set_json (const char *name, const char *json) const
  {
    const std::unique_ptr<JsonNode, Deleter<json_node_unref>> value (json_from_string (json, nullptr));
    g_assert_nonnull (value.get ());
    set_property (node, name, value.get ());
  }
};

void taken ()
{
  const Fixture f;
  const struct {
    const char *name, *word, *read_back, *json;
  } cases[] = {
      {"on", "false", "false", "false"},
      {"on", "yes", "true", "true"},
      {"count", "32", "32", "32"},
      {"count", "+4", "4", "4"},
      {"count", "1e1", "10", "10"},
      {"any", "-2147483648", "-2147483648", "-2147483648"},
      {"fraction", "0.1", "0.1", "0.1"},
      {"fraction", "1", "1", "1"},
      {"angle", "-1e-300", "-1e-300", "-1e-300"},
      {"angle", "0.30000000000000004", "0.30000000000000004", "0.30000000000000004"},
      {"window", "hann", "hann", "\"hann\""},
      {"axis", "296.50", "296.50", "\"296.50\""},
      {"note", "tab\t\"quote\" \\ \xc3\xbc\x01", "tab\t\"quote\" \\ \xc3\xbc\x01",
       "\"tab\\t\\\"quote\\\" \\\\ \xc3\xbc\\u0001\""},
      {"note", "", "", "\"\""},
  };
  for (const auto &c : cases) {
    f.set (c.name, c.word);
    same (f.get (c.name), c.read_back);
    same (property_json (f.node.task.get (), f.spec (c.name)), c.json);
    f.set (c.name, default_text (f.spec (c.name)).c_str ());
    f.set_json (c.name, c.json); // what is written can be read
    same (f.get (c.name), c.read_back);
  }
  f.set_json ("axis", "296.5"); // a string takes numbers and booleans as their text
  same (f.get ("axis"), "296.5");
  f.set_json ("axis", "true");
  same (f.get ("axis"), "true");
  f.set_json ("fraction", "1");
  f.set_json ("count", "4.0");
}

void refused ()
{
  const Fixture f;
  const struct {
    const char *name, *word, *message;
  } words[] = {
      {"axs", "1", "no property 'axs': did you mean 'axis'?"},
      {"zebra", "1",
       "no property 'zebra': the properties are on, count, any, fraction, angle, window, axis, note, trouble"},
      {"on", "maybe", "property 'on' wants true or false, got 'maybe'"},
      {"count", "0", "property 'count' wants an integer from 1 to 32, got '0'"},
      {"count", "33", "property 'count' wants an integer from 1 to 32, got '33'"},
      {"count", "4.5", "property 'count' wants an integer from 1 to 32, got '4.5'"},
      {"count", "4x", "property 'count' wants an integer from 1 to 32, got '4x'"},
      {"count", "", "property 'count' wants an integer from 1 to 32, got ''"},
      {"any", "2147483648", "property 'any' wants an integer, got '2147483648'"},
      {"any", "99999999999999999999", "property 'any' wants an integer, got '99999999999999999999'"},
      {"fraction", "1.0001", "property 'fraction' wants a number from 0 to 1, got '1.0001'"},
      {"fraction", "-1", "property 'fraction' wants a number from 0 to 1, got '-1'"},
      {"fraction", "nan", "property 'fraction' wants a number from 0 to 1, got 'nan'"},
      {"fraction", "0,5", "property 'fraction' wants a number from 0 to 1, got '0,5'"},
      {"angle", "inf", "property 'angle' wants a number, got 'inf'"},
      {"angle", "0x10", "property 'angle' wants a number, got '0x10'"},
      {"window", "han", "property 'window' wants one of none, hann, hamming, got 'han': did you mean 'hann'?"},
      {"window", "zebra", "property 'window' wants one of none, hann, hamming, got 'zebra'"},
  };
  for (const auto &c : words)
    same (message_of ([&] { f.set (c.name, c.word); }), text ("'f' (test-filter): %s", c.message));
  const struct {
    const char *name, *json, *message;
  } values[] = {
      {"on", "1", "property 'on' wants true or false, got 1"},
      {"on", "\"true\"", "property 'on' wants true or false, got \"true\""},
      {"count", "\"4\"", "property 'count' wants an integer from 1 to 32, got \"4\""},
      {"count", "null", "property 'count' wants an integer from 1 to 32, got null"},
      {"fraction", "1.5", "property 'fraction' wants a number from 0 to 1, got 1.5"},
      {"fraction", "true", "property 'fraction' wants a number from 0 to 1, got true"},
      {"window", "1", "property 'window' wants one of none, hann, hamming, got 1"},
      {"window", "\"hamm\"",
       "property 'window' wants one of none, hann, hamming, got \"hamm\": did you mean 'hamming'?"},
      {"axis", "[1]", "property 'axis' wants a string, got an array"},
      {"axis", "{}", "property 'axis' wants a string, got an object"},
  };
  for (const auto &c : values)
    same (message_of ([&] { f.set_json (c.name, c.json); }), text ("'f' (test-filter): %s", c.message));
  for (auto *spec : list_properties (G_OBJECT_TYPE (f.node.task.get ())))
    g_assert_false (is_set (f.node.task.get (), spec)); // nothing was set on the way to an error

  Graph graph;
  const auto join = graph.add ("test-join");
  same (message_of ([&] { set_property (graph.nodes ()[join], "a", std::string ("1")); }),
        "'test-join': no property 'a': it has none");
  f.set ("note", "ü\xff\"\xc3");
  same (message_of ([&] { property_json (f.node.task.get (), f.spec ("note")); }),
        "'\\303\\274\\377\\\"\\303' is not UTF-8, which JSON needs");
  same (property_json (f.node.task.get (), f.spec ("note"), show_json), R"("ü\\xff\"\\xc3")");

  PropertySetter setter (f.node);
  const auto set = [&] (const std::string &name) { return message_of ([&] { setter.set (name, std::string ("3")); }); };
  setter.set ("count", std::string ("3"));
  same (set ("count"), "property 'count' of 'f' (test-filter) is set twice");
  g_assert_true (set ("x_y").starts_with ("'f' (test-filter): no property 'x_y'"));
  same (set ("x-y"), "property 'x-y' of 'f' (test-filter) is set twice"); // GObject takes both for the same
}

void described ()
{
  const Fixture f;
  const struct {
    const char *name, *type, *range, *def;
  } cases[] = {
      {"on", "boolean", "", "true"},        {"count", "integer", "1 to 32", "3"},
      {"any", "integer", "", "0"},          {"fraction", "number", "0 to 1", "0.5"},
      {"angle", "number", "", "0"},         {"window", "choice", "none, hann, hamming", "none"},
      {"note", "string", "", "a \"note\""},
  };
  for (const auto &c : cases) {
    same (type_text (f.spec (c.name)), c.type);
    same (range_text (f.spec (c.name)), c.range);
    same (default_text (f.spec (c.name)), c.def);
  }
}

// --- callbacks of GLib ---

template <auto M> constexpr Property throwing (const char *name)
{
  Property p = prop<M> (name, "Cannot be had");
  p.set = [] (void *, const GValue *) -> bool { throw std::runtime_error ("stuck"); };
  p.get = [] (const void *, GValue *) { throw 7; };
  return p;
}

struct Throwing final : Sink {
  static constexpr Info info{"test-throwing", "Throws in callbacks"};
  static inline bool when_made = false;
  int level = 1;
  std::string word = "one";
  static constexpr Property properties[] = {
      prop<&Throwing::level> ("level", "Level"),
      prop<&Throwing::word> ("word", "Word"),
      throwing<&Throwing::level> ("bad"),
  };

  Throwing ()
  {
    if (when_made)
      fail (SINO_ERROR_DEVICE, "nothing is there");
  }
  Format negotiate (std::span<const Format *const> formats) override { return *formats[0]; }
  std::unique_ptr<Worker> start (const Replica &) override { return {}; }
};

ObjectPtr<SinoTask> make_throwing ()
{
  return ObjectPtr<SinoTask> (SINO_TASK (g_object_new (Binding<Throwing>::gtype (), nullptr)));
}

void critical (const char *message)
{
  g_test_expect_message ("Sinograph", G_LOG_LEVEL_CRITICAL, message);
}

void exceptions_stay_inside ()
{
  const auto task = make_throwing ();
  int notified = 0, value = 5;
  g_signal_connect (task.get (), "notify::bad", G_CALLBACK (+[] (GObject *, GParamSpec *, int *n) { ++*n; }),
                    &notified);
  critical ("SinoTestThrowing: bad: stuck");
  g_object_set (task.get (), "bad", 3, nullptr);
  critical ("SinoTestThrowing: bad: unknown failure");
  g_object_get (task.get (), "bad", &value, nullptr);
  g_test_assert_expected_messages ();
  g_assert_cmpint (notified, ==, 0);
  g_assert_cmpint (value, ==, 0);
}

// What could not be made says so to everyone who asks.
void failures_of_constructors_are_kept ()
{
  make_throwing (); // the class has its defaults
  Throwing::when_made = true;
  const auto task = make_throwing ();
  Throwing::when_made = false;
  critical ("SinoTestThrowing: level: nothing is there");
  g_object_set (task.get (), "level", 3, nullptr);
  g_test_assert_expected_messages ();
  const auto ask = [&] { snapshot (task.get ()); };
  same (message_of (ask), "nothing is there");
  g_assert_cmpint (test::code_of (ask), ==, SINO_ERROR_DEVICE);
}

void changes_are_notified ()
{
  const auto task = make_throwing ();
  std::string seen;
  g_signal_connect (task.get (), "notify",
                    G_CALLBACK (+[] (GObject *, GParamSpec *p, std::string *names) { *names += p->name; }), &seen);
  g_object_set (task.get (), "level", 1, "word", "one", nullptr);
  same (seen, "");
  for (int i = 0; i < 2; i++) {
    g_object_set (task.get (), "level", 2, nullptr);
    g_object_set (task.get (), "word", "two", nullptr);
  }
  same (seen, "levelword");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/properties/taken", taken);
  g_test_add_func ("/properties/refused", refused);
  g_test_add_func ("/properties/described", described);
  g_test_add_func ("/properties/exceptions-stay-inside", exceptions_stay_inside);
  g_test_add_func ("/properties/failures-of-constructors-are-kept", failures_of_constructors_are_kept);
  g_test_add_func ("/properties/changes-are-notified", changes_are_notified);
  return g_test_run ();
}

} // namespace sino::test::properties_test
