// SPDX-License-Identifier: LGPL-3.0-or-later
// Every OpenCL kernel with every setting against the definition in float64:
//
//   test-filters back-project-variants [all|sample|quick|small] [DEVICE]
//
// all: the full product (variants/cases.hpp says of what); sample: every pair of values of two dimensions, parameters
// of kernels among them; quick: the same of few parameters, as programs take seconds to build, and a quarter of them
// for a change; small: a sample at sizes for a simulator. DEVICE is a part of the name of the device or its platform,
// else the first device. It prints a line per case. Bars, as root mean square errors relative to the truth:
//
//   1e-6  nearest and oversample, where no ray passes within 1e-3 of a border: the same bins, added as float
//   1e-5  linear from buffers: positions are rounded within a tile
//   5e-5  linear through images: positions are floats up to the width, and the sampler's weights exact
//   3e-3  linear through images of GPUs, whose weights are multiples of 1/256
//   5e-4  cached as half, which has 11 bits, or oversampled through images of halves of GPUs, which round to half
//
// Bins that are half have the same bars: the truth is made from the halves.
#include "filters/back-project/opencl/launcher.hpp"
#include "tests/filters/back-project/cases.hpp"
#include "tests/filters/back-project/variant-truth.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"

namespace sino::test::back_project_variants_test {

using namespace back_project;

namespace {

const OpenclDevice *device = nullptr;
OpenclFacts facts;
enum class Extent { all, sample, quick } extent = Extent::sample;
Plan plan{{64, 250, 1000}, {7, 61, 400}, {1, 4, 17}, {}, {}};

bool takes_format (cl_channel_order order, cl_channel_type type)
{
  std::vector<cl::ImageFormat> formats;
  device->context ().getSupportedImageFormats (CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &formats);
  return std::any_of (formats.begin (), formats.end (), [&] (const cl::ImageFormat &format) {
    return format.image_channel_order == order && format.image_channel_data_type == type;
  });
}

// What drivers cannot do, or do wrongly, and no query tells.
bool spoiled_by_driver (const Case &c)
{
  static const auto formats = [] {
    std::array<std::array<bool, 3>, 2> known{};
    for (const bool half : {false, true})
      for (const size_t i : {0, 1, 2})
        known[half][i] = takes_format (std::array{CL_R, CL_RG, CL_RGBA}[i],
                                       static_cast<cl_channel_type> (half ? CL_HALF_FLOAT : CL_FLOAT));
    return known;
  }();
  if (c.setting.kernel->shape (c.setting, c.problem ()).image) {
    if (c.half && facts.vendor == "pocl") // reads them as integers
      return true;
    return !formats[c.half][static_cast<size_t> (c.lanes / 2)];
  }
  return false;
}

bool is_allowed (const Case &c)
{
  return families::refusal (c.setting, c.problem (), facts).empty () && !spoiled_by_driver (c);
}

// Settings of each kernel that compilers for CPUs build soon.
std::vector<families::Setting> quick_settings ()
{
  std::vector<families::Setting> settings;
  for (const auto *kernel : families::kernels_of (family ()))
    settings.push_back ({kernel, {}});
  settings.push_back (setting ("local", "ADVANCED=1,HOLD_STEPS=1"));
  settings.push_back (setting ("local", "HALF_CACHE=1,ROUND=1"));
  settings.push_back (setting ("texture", "PROJECTIONS=1,BATCH=64,ZORDER=0"));
  return settings;
}

double bar_of (const Case &c)
{
  const std::string_view name = c.setting.kernel->name;
  const bool engine = name == "texture" || name == "hybrid";
  if (engine && facts.gpu && c.interpolation == Interpolation::linear)
    return 3e-3;
  if (c.setting.if_any ("HALF_CACHE"))
    return 5e-4;
  if (c.interpolation == Interpolation::oversample && c.half && facts.gpu &&
      c.setting.kernel->shape (c.setting, c.problem ()).image)
    return 5e-4;
  if (c.interpolation != Interpolation::linear)
    return 1e-6;
  return engine ? 5e-5 : 1e-5;
}

template <class T> std::vector<T> with_lanes (const std::vector<T> &values, int64_t first, const Case &c, T nothing)
{
  const auto bins = c.projections * c.width;
  std::vector<T> out (static_cast<size_t> (bins * c.lanes), nothing);
  for (int64_t lane = 0; lane < std::min<int64_t> (c.lanes, c.slices - first); lane++)
    for (int64_t i = 0; i < bins; i++)
      out[static_cast<size_t> (i * c.lanes + lane)] = values[static_cast<size_t> ((first + lane) * bins + i)];
  return out;
}

// [slice][y][x] of the region. Lanes without a slice hold NaN, as do pixels that the kernel does not write.
std::vector<float> computed (const Case &c, const UnevenScan &scan)
{
  const Monitor monitor;
  const auto roi = c.roi ();
  const Job job{nullptr, c.half, c.lanes, c.width, scan.rays, c.interpolation, Precision::single, c.mask, roi};
  Bill bill;
  Launcher::memory (job, c.setting, 0, 0, bill);
  Allotment memory (bill);
  Launcher launcher (*device, monitor, job, c.setting, memory);
  const auto pixels = roi.width * roi.height;
  std::vector<float> out (static_cast<size_t> (c.slices * pixels), NAN);
  for (int64_t first = 0; first < c.slices; first += c.lanes) {
    std::vector<float *> slices;
    for (int64_t slice = first; slice < std::min (first + c.lanes, c.slices); slice++)
      slices.push_back (out.data () + slice * pixels);
    const auto run = [&] (const auto &bins) {
      launcher.run (reinterpret_cast<const std::byte *> (bins.data ()), slices);
    };
    if (c.half)
      run (with_lanes<uint16_t> (scan.halves, first, c, 0x7e00));
    else
      run (with_lanes<float> (scan.floats, first, c, NAN));
  }
  return out;
}

// NaN also where a pixel outside the circle is not 0.
double error_of (const Case &c)
{
  static Truths truths;
  const auto &scan = truths.scan (c.projections, c.width, c.half);
  const auto roi = c.roi ();
  const auto &truth = truths.region (scan, roi, c.interpolation);
  const auto got = computed (c, scan);
  RelativeError error;
  for (size_t i = 0; i < got.size (); i++) {
    const auto pixel = static_cast<int64_t> (i) % (roi.width * roi.height);
    if (!c.mask || scan.in_circle (roi.x + pixel % roi.width, roi.y + pixel / roi.width))
      error.add (static_cast<double> (got[i]), truth[i]);
    else if (got[i] != 0)
      return NAN;
  }
  return error.value ();
}

// The worst errors, by kind and lanes.
class Summary
{
public:
  void add (const Case &c, const char *interpolation, double error)
  {
    auto &worst = kinds[text ("%-5s %-10s%s", c.half ? "half" : "float", interpolation,
                              c.setting.if_any ("HALF_CACHE") ? " cached as half" : "")][c.lanes];
    worst = std::max (worst, std::isnan (error) ? HUGE_VAL : error);
  }
  void print (const families::Kernel &kernel) const
  {
    for (const auto &[kind, by_lanes] : kinds) {
      std::string line;
      for (const auto &[lanes, worst] : by_lanes)
        line += text ("  %d: %.1e", lanes, worst);
      g_test_message ("worst of %-9s %-32s%s", kernel.name, kind.c_str (), line.c_str ());
    }
  }

private:
  std::map<std::string, std::map<int, double>> kinds;
};

// The cases of a kernel that read bins from images, or those that do not: tools differ in what they know of images.
struct Part {
  const families::Kernel &kernel;
  bool image;
};

std::vector<Case> cases_of (const families::Kernel &kernel)
{
  if (extent == Extent::all)
    return all_cases (kernel, plan);
  if (extent == Extent::sample)
    return sample_cases (kernel, plan);
  static const auto quick = quick_cases (quick_settings (), plan);
  auto cases = quick;
  std::erase_if (cases, [&] (const Case &c) { return c.setting.kernel != &kernel; });
  return cases;
}

void test_part (const Part &part)
{
  const auto &kernel = part.kernel;
  static const auto name = [] (Interpolation i) {
    return i == Interpolation::linear ? "linear" : i == Interpolation::nearest ? "nearest" : "oversample";
  };
  auto cases = cases_of (kernel);
  std::erase_if (
      cases, [&] (const Case &c) { return kernel.shape (c.setting, c.problem ()).image.has_value () != part.image; });
  if (cases.empty ()) {
    g_test_skip ("no case that the device can run");
    return;
  }
  g_test_message ("%-9s %5s %-5s %-10s %-4s %5s %11s %6s %-15s %8s %8s  %s", "device", "lanes", "bins", "interpol.",
                  "mask", "width", "projections", "slices", "region", "error", "bar", "setting");
  if (extent == Extent::quick)
    cases = drawn (cases, std::min<size_t> (cases.size (), 4));
  Summary summary;
  for (auto &c : cases) {
    std::string failure;
    double error = NAN;
    try {
      error = error_of (c);
    } catch (const Error &e) {
      failure = std::string (": ") + e.what ();
    }
    const auto roi = c.roi ();
    const auto region = text ("%dx%d+%d+%d", static_cast<int> (roi.width), static_cast<int> (roi.height),
                              static_cast<int> (roi.x), static_cast<int> (roi.y));
    const double bar = bar_of (c);
    const auto line = text ("%-9s %5d %-5s %-10s %-4s %5d %11d %6d %-15s %8.1e %8.0e  %s", facts.vendor.c_str (),
                            c.lanes, c.half ? "half" : "float", name (c.interpolation), c.mask ? "mask" : "-",
                            static_cast<int> (c.width), static_cast<int> (c.projections), static_cast<int> (c.slices),
                            region.c_str (), error, bar, c.setting.text ().c_str ());
    if (error <= bar) // not if NaN
      g_test_message ("%s", line.c_str ());
    else
      g_test_fail_printf ("%s%s", line.c_str (), failure.c_str ());
    summary.add (c, name (c.interpolation), error);
  }
  summary.print (kernel);
  g_test_message ("%zu cases of %s on %s", cases.size (), kernel.name, device->name.c_str ());
}

// What a device must have for some parameters, and which do not go together.
void test_refusals ()
{
  OpenclFacts faked;
  faked.images = true;
  faked.image_width = faked.image_height = 4096;
  const auto refused = [&] (const char *variant, const char *parameters, const char *vendor, int lanes,
                            Interpolation interpolation = Interpolation::linear, int64_t rays = 100) {
    faked.vendor = vendor;
    return families::refusal (setting (variant, parameters), problem (lanes, false, interpolation, false, 500, rays),
                              faked);
  };
  same (refused ("hybrid", "BY_SM=256", "nvidia", 2), "");
  same (refused ("hybrid", "BY_SM=256", "amd", 2), "BY_SM is for NVIDIA");
  same (refused ("hybrid", "", "nvidia", 1, Interpolation::oversample), "does not have interpolation=oversample");
  same (refused ("texture", "SHUFFLE=2", "nvidia", 2), "");
  same (refused ("texture", "SHUFFLE=2", "intel", 2), "SHUFFLE=2 is for NVIDIA");
  same (refused ("texture", "SHUFFLE=1", "intel", 2),
        "SHUFFLE=1 wants cl_khr_subgroup_shuffle, which the device does not have");
  faked.shuffle = true;
  same (refused ("texture", "SHUFFLE=1", "intel", 2), "");
  same (refused ("texture", "SIDE=64", "nvidia", 2), "cannot make areas of 64 x 64 pixels by 64 work-items");
  same (refused ("local", "ADVANCED=1,WRITE64=1", "nvidia", 2), "WRITE64=1 cannot be used with ADVANCED=1");
  same (refused ("local", "ADVANCED=1", "nvidia", 2, Interpolation::nearest),
        "ADVANCED=1 is for linear interpolation only");
  same (refused ("local", "ARRAYS=4", "nvidia", 2), "ARRAYS=4 is more than the 2 lanes");
  same (refused ("local", "CONSTANT=1", "nvidia", 2, Interpolation::linear, 1638), "");
  same (refused ("local", "CONSTANT=1", "nvidia", 2, Interpolation::linear, 1639),
        "needs 65560 bytes of constant memory, the device has 65536");
  faked.local_memory = 1 << 20;
  faked.most_turns = 65535; // as Mesa's llvmpipe
  same (refused ("blocked", "", "other", 16),
        "may need 1051076 iterations of its loops, which the driver stops after 65535 without an error");
  same (refused ("reference", "", "other", 4, Interpolation::linear, 7000), "");
  same (refused ("reference", "", "other", 4, Interpolation::linear, 7300),
        "may need 65708 iterations of its loops, which the driver stops after 65535 without an error");
  for (const auto *kernel : families::kernels_of (family ()))
    for (const int lanes : kernel->lanes) {
      const bool few = refused (kernel->name, "", "other", lanes, Interpolation::linear, 1).empty ();
      g_assert_true (few == (kernel->name != std::string_view ("blocked") || lanes < 16));
      g_assert_false (refused (kernel->name, "", "other", lanes, Interpolation::linear, 66000).empty ());
    }
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  const std::string mode = argc > 1 ? argv[1] : "sample";
  if (mode == "all")
    extent = Extent::all;
  else if (mode == "quick")
    extent = Extent::quick;
  else if (mode == "small")
    plan.widths = {21, 43}, plan.projections = {5, 19}, plan.slices = {1, 3};
  else if (mode != "sample") {
    fprintf (stderr, "usage: %s back-project-variants [all|sample|quick|small] [DEVICE]\n", argv[0]);
    return 2;
  }
  for (const auto &candidate : opencl_devices ())
    if (!device && (argc < 3 || candidate->name.find (argv[2]) != std::string::npos))
      device = candidate.get ();
  if (!device) {
    printf ("1..0 # SKIP no such OpenCL device\n");
    return 0;
  }
  facts = device->facts ();
  plan.allowed = is_allowed;
  if (!facts.gpu) // whose compilers take up to a minute for an unrolled pass of local.cl
    plan.unless = {{"UNROLL", 1}};
  g_test_add_func ("/back-project/variants/buffers/refusals", test_refusals);
  static std::vector<Part> parts;
  for (const auto *kernel : families::kernels_of (family ()))
    for (const bool image : {false, true})
      parts.push_back ({*kernel, image});
  for (const auto &part : parts)
    g_test_add_data_func (
        text ("/back-project/variants/%s/%s", part.image ? "images" : "buffers", part.kernel.name).c_str (), &part,
        [] (gconstpointer data) { test_part (*static_cast<const Part *> (data)); });
  return g_test_run ();
}

} // namespace sino::test::back_project_variants_test
