// SPDX-License-Identifier: LGPL-3.0-or-later
// Counters of energy, in folders that look like the system's and in a library with the symbols of NVIDIA's.
// usage: test-unit energy FAKE-NVML
#include "device/energy/energy.hpp"
#include "base/files/temporary-folder.hpp"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <glib.h>
#include <thread>
#include <unistd.h>

namespace sino::test::energy_test {

namespace {

std::string fake_nvml;

void put (const std::string &path, const std::string &content)
{
  std::filesystem::create_directories (std::filesystem::path (path).parent_path ());
  std::ofstream (path) << content;
}

// A machine of two packages, as Intel's servers look.
struct Machine {
  const TemporaryFolder folder{g_get_tmp_dir ()};
  const std::string zones = folder.path () + "/powercap";

  Machine ()
  {
    zone ("intel-rapl:0", "package-0");
    zone ("intel-rapl:0:0", "core");
    zone ("intel-rapl:0:1", "dram");
    zone ("intel-rapl:1", "package-1");
    zone ("intel-rapl:1:0", "uncore");
    zone ("intel-rapl:2", "psys");
    zone ("intel-rapl-mmio:0", "package-0");
    put (zones + "/intel-rapl/enabled", "1\n");
  }
  void zone (const std::string &zone, const char *name)
  {
    put (zones + "/" + zone + "/name", std::string (name) + "\n");
    put (zones + "/" + zone + "/max_energy_range_uj", "262143328850\n");
    count (zone, "1000000");
  }
  void count (const std::string &zone, const char *microjoules)
  {
    put (zones + "/" + zone + "/energy_uj", std::string (microjoules) + "\n");
  }
  EnergyMeter meter (const std::vector<EnergyGpu> &gpus = {}) const { return EnergyMeter (gpus, {zones, fake_nvml}); }
};

void wait (double seconds)
{
  std::this_thread::sleep_for (std::chrono::duration<double> (seconds));
}

void expect (const EnergyPart &part, const char *name, double joules)
{
  g_assert_cmpstr (part.fault.c_str (), ==, "");
  g_assert_cmpstr (part.name.c_str (), ==, name);
  g_assert_cmpfloat_with_epsilon (part.joules, joules, 1e-6);
}

void expect_fault (const EnergyPart &part, const std::string &fault)
{
  if (part.fault.find (fault) == fault.npos)
    g_error ("'%s' has no '%s'", part.fault.c_str (), fault.c_str ());
  g_assert_cmpfloat (part.joules, ==, 0);
}

void test_counts ()
{
  Machine machine;
  auto meter = machine.meter ();
  machine.count ("intel-rapl:0", "3500000");
  machine.count ("intel-rapl:0:0", "3400000"); // in the package
  machine.count ("intel-rapl:0:1", "1250000"); // beside it
  machine.count ("intel-rapl:1", "2000000");
  machine.count ("intel-rapl:2", "9000000");
  machine.count ("intel-rapl-mmio:0", "3500000");
  wait (0.01);
  const auto energy = meter.energy ();
  g_assert_cmpuint (energy.parts.size (), ==, 1);
  expect (energy.parts[0], "CPU", 2.5 + 0.25 + 1);
  const auto figures = energy.figures (2, 7.5e6);
  g_assert_true (figures.has_value ());
  g_assert_cmpfloat_with_epsilon (figures->joules, 3.75, 1e-6);
  g_assert_cmpfloat_with_epsilon (figures->delay, 7.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (figures->speed, 2e6, 1);
  expect (energy.per (5).parts[0], "CPU", 0.75);

  meter.begin ();
  machine.count ("intel-rapl:1", "2500000");
  wait (0.01);
  expect (meter.energy ().parts[0], "CPU", 0.5);
}

void test_begins_again ()
{
  Machine machine;
  machine.count ("intel-rapl:0", "262143000000");
  auto meter = machine.meter ();
  machine.count ("intel-rapl:0", "671150");
  wait (0.01);
  expect (meter.energy ().parts[0], "CPU", 1);

  put (machine.zones + "/intel-rapl:0/max_energy_range_uj", "1000000\n"); // a kilowatt takes a millisecond for it
  auto late = machine.meter ();
  wait (0.003);
  machine.count ("intel-rapl:0", "900000");
  const auto energy = late.energy ();
  expect_fault (energy.parts[0], "its counter may have overflowed in the ");
  g_assert_false (energy.figures (1, 1).has_value ());
}

void test_too_short ()
{
  const Machine machine;
  auto meter = machine.meter ();
  expect_fault (meter.energy ().parts[0], "its counter is accurate only for at least 0.01 s, but ");
  wait (0.01);
  expect_fault (meter.energy ().parts[0], "its counter did not change");
}

void test_none ()
{
  const Machine machine;
  for (const auto *name : {"nowhere", "powercap/intel-rapl"}) {
    const auto folder = machine.folder.path () + "/" + name;
    EnergyMeter meter ({}, {folder, fake_nvml});
    const auto energy = meter.energy ();
    expect_fault (energy.parts[0], "no counter of a processor package (intel-rapl) in " + folder);
    g_assert_false (energy.figures (1, 1).has_value ());
  }
}

// Files that only the administrator may read, which these tests may be.
void test_denied ()
{
  const Machine machine;
  const auto file = machine.zones + "/intel-rapl:1/energy_uj";
  std::filesystem::permissions (file, std::filesystem::perms::none);
  std::filesystem::permissions (machine.folder.path (), std::filesystem::perms (0755));
  const bool administrator = geteuid () == 0;
  constexpr uid_t nobody = 65534;
  if (administrator)
    g_assert_cmpint (seteuid (nobody), ==, 0);
  auto meter = machine.meter ();
  const auto energy = meter.energy ();
  if (administrator)
    g_assert_cmpint (seteuid (0), ==, 0);
  expect_fault (energy.parts[0], "only the administrator can read " + file +
                                     ", and can allow it to others: 'chmod a+r " + machine.zones +
                                     "/intel-rapl:*/energy_uj'");
}

void test_vanishing ()
{
  Machine machine;
  auto meter = machine.meter ();
  machine.count ("intel-rapl:0", "2000000");
  std::filesystem::remove_all (machine.zones + "/intel-rapl:1");
  expect_fault (meter.energy ().parts[0], "intel-rapl:1/energy_uj");
  machine.zone ("intel-rapl:1", "package-1");
  meter.begin ();
  machine.count ("intel-rapl:1", "1500000");
  wait (0.01);
  expect (meter.energy ().parts[0], "CPU", 0.5);
}

void test_garbage ()
{
  for (const auto *garbage : {"", "-5", "many", "1 2", "99999999999999999999"}) {
    Machine machine;
    auto meter = machine.meter ();
    machine.count ("intel-rapl:0:1", garbage);
    const auto fault = machine.zones + "/intel-rapl:0:1/energy_uj has '" + garbage + "', not a number of microjoules";
    expect_fault (meter.energy ().parts[0], fault);
    auto later = machine.meter ();
    expect_fault (later.energy ().parts[0], fault);
  }
  Machine machine;
  machine.count ("intel-rapl:0", "300000000000"); // more than its range
  auto meter = machine.meter ();
  machine.count ("intel-rapl:0", "1");
  expect_fault (meter.energy ().parts[0], "its counter was reset");
}

// The fake counts 1.5 J a reading; the bus number says what becomes of it.
void test_gpus ()
{
  Machine machine;
  auto meter = machine.meter ({{"cl:0", "0000:41:00.0"},
                               {"cl:1", "0000:42:00.0"},
                               {"cl:2", "0000:ff:00.0"},
                               {"cl:3", "0000:50:00.0"},
                               {"cl:4", ""}});
  machine.count ("intel-rapl:0", "2000000");
  wait (0.1);
  expect_fault (meter.energy ().parts[1], "its counter is accurate only for at least 1 s, but ");
  meter.begin ();
  machine.count ("intel-rapl:0", "3000000");
  wait (1);
  const auto energy = meter.energy ();
  g_assert_cmpuint (energy.parts.size (), ==, 6);
  expect (energy.parts[0], "CPU", 1);
  expect (energy.parts[1], "cl:0", 1.5);
  expect (energy.parts[2], "cl:1", 1.5);
  expect_fault (energy.parts[3], "nvmlDeviceGetHandleByPciBusId failed: Not Found (6)");
  expect_fault (energy.parts[4], "nvmlDeviceGetTotalEnergyConsumption failed: Not Supported (3)");
  expect_fault (energy.parts[5], "only NVIDIA GPUs are supported");
  g_assert_cmpfloat_with_epsilon (energy.figures (1, 0)->joules, 4, 1e-6);
}

void test_no_library ()
{
  const Machine machine;
  EnergyMeter meter ({{"cl:0", "0000:41:00.0"}}, {machine.zones, "libno-such-nvml.so.1"});
  expect_fault (meter.energy ().parts[1], "the NVIDIA management library cannot be loaded: libno-such-nvml.so.1");
  EnergyMeter other ({{"cl:0", "0000:41:00.0"}}, {machine.zones, "libm.so.6"});
  expect_fault (other.energy ().parts[1], "the NVIDIA management library is too old: it has no nvmlInit_v2");
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_assert_cmpint (argc, ==, 2);
  fake_nvml = argv[1];
  g_test_add_func ("/energy/counts", test_counts);
  g_test_add_func ("/energy/begins-again", test_begins_again);
  g_test_add_func ("/energy/too-short", test_too_short);
  g_test_add_func ("/energy/none", test_none);
  g_test_add_func ("/energy/denied", test_denied);
  g_test_add_func ("/energy/vanishing", test_vanishing);
  g_test_add_func ("/energy/garbage", test_garbage);
  g_test_add_func ("/energy/gpus", test_gpus);
  g_test_add_func ("/energy/no-library", test_no_library);
  return g_test_run ();
}

} // namespace sino::test::energy_test
