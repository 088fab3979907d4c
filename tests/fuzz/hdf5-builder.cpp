// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/fuzz/hdf5-builder.hpp"
#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sino::fuzz {

uint8_t Choices::byte ()
{
  if (bytes.empty ())
    return 0;
  const auto first = bytes.front ();
  bytes = bytes.subspan (1);
  return first;
}

namespace {

constexpr const char *names[] = {"exchange/data",
                                 "exchange/data_white",
                                 "exchange/data_dark",
                                 "exchange/theta",
                                 "exchange/rotation_axis",
                                 "exchange/position_white",
                                 "entry/tomo/instrument/detector/data",
                                 "entry/tomo/instrument/detector/image_key",
                                 "entry/tomo/sample/rotation_angle",
                                 "entry/tomo/data/data",
                                 "line\nbreak",
                                 "\x1b[2J/data"};
constexpr const char *attributes[] = {"units", "pixel_size", "convention", "NX_class", "default", "scale_factor"};
constexpr const char *words[] = {"degrees", "rad", "deg", "um", "mm", "NXtomo", "", "cone_vec", "\x1b\n\xff"};
constexpr hsize_t sizes[] = {1, 2, 3, 7, 12, 16, 30, 64, 0, hsize_t{1} << 21, hsize_t{1} << 40, ~hsize_t{0} >> 2};
constexpr hsize_t most_values = 1 << 12; // that are written

// What the library refuses is not in the file.
class Builder
{
public:
  Builder (Choices &c, hid_t f) : choices (c), file (f) {}

  void build ()
  {
    for (size_t i = 0, n = 1 + choices.below (6); i < n; i++) {
      const std::string path = choices.one_of (names);
      switch (choices.below (8)) {
      case 0:
        link (path);
        break;
      case 1:
        H5Gclose (H5Gcreate2 (file, path.c_str (), groups (), H5P_DEFAULT, H5P_DEFAULT));
        attribute (path);
        break;
      default:
        dataset (path);
        for (size_t k = choices.below (3); k > 0; k--)
          attribute (path);
      }
    }
  }

private:
  Choices &choices;
  hid_t file;

  static hid_t groups ()
  {
    static const hid_t list = [] {
      const hid_t made = H5Pcreate (H5P_LINK_CREATE);
      H5Pset_create_intermediate_group (made, 1);
      return made;
    }();
    return list;
  }

  hid_t type ()
  {
    const hid_t plain[] = {H5T_STD_U16LE,  H5T_STD_U8LE,  H5T_STD_U16BE,   H5T_IEEE_F32LE,    H5T_IEEE_F32BE,
                           H5T_IEEE_F64LE, H5T_STD_I16LE, H5T_STD_I32BE,   H5T_STD_U32LE,     H5T_STD_I64LE,
                           H5T_STD_U64BE,  H5T_STD_B16LE, H5T_STD_REF_OBJ, H5T_NATIVE_LDOUBLE};
    hid_t made = H5Tcopy (choices.one_of (plain));
    switch (choices.below (12)) {
    case 0:
      H5Tset_precision (made, 1 + choices.below (16));
      break;
    case 1:
      H5Tset_offset (made, choices.below (9));
      break;
    case 2: {
      const hsize_t extent = 1 + choices.below (4);
      return H5Tarray_create2 (made, 1, &extent);
    }
    case 3:
      made = H5Tcopy (H5T_C_S1);
      H5Tset_size (made, choices.chance () ? H5T_VARIABLE : 1 + choices.below (20));
      return made;
    case 4: {
      const hid_t pair = H5Tcreate (H5T_COMPOUND, 16);
      H5Tinsert (pair, "r", 0, made);
      return pair;
    }
    case 5:
      return H5Tvlen_create (made);
    case 6: // half, or nearly
      made = H5Tcopy (H5T_IEEE_F32LE);
      H5Tset_fields (made, 15, 10, 5, 0, 10);
      H5Tset_size (made, 2);
      H5Tset_ebias (made, 15 + choices.below (2));
      break;
    default:
      break;
    }
    return made;
  }

  std::vector<hsize_t> extents (size_t most)
  {
    const size_t ranks[] = {3, 3, 3, 3, 2, 1, 0, 4, 5};
    std::vector<hsize_t> list (std::min (choices.one_of (ranks), most));
    for (auto &extent : list)
      extent = choices.one_of (sizes);
    return list;
  }

  void dataset (const std::string &path)
  {
    const hid_t kind = type (), creation = H5Pcreate (H5P_DATASET_CREATE);
    const auto extent = extents (8);
    auto most = extent;
    const size_t layout = choices.below (8);
    if (layout >= 3 && choices.chance ())
      for (auto &end : most)
        end = choices.chance () ? H5S_UNLIMITED : end;
    const auto rank = static_cast<int> (extent.size ());
    const hid_t space = rank == 0 ? H5Screate (choices.chance () ? H5S_SCALAR : H5S_NULL)
                                  : H5Screate_simple (rank, extent.data (), most.data ());
    lay_out (creation, layout, extent, space);
    if (choices.below (4) == 0) {
      const double fill = choices.chance () ? 7 : -1e300;
      H5Pset_fill_value (creation, H5T_NATIVE_DOUBLE, &fill);
    }
    const hid_t made = H5Dcreate2 (file, path.c_str (), kind, space, groups (), creation, H5P_DEFAULT);
    const auto values = H5Sget_simple_extent_npoints (space);
    const auto known = H5Tget_class (kind);
    if (made >= 0 && layout != 7 && layout != 2 && values > 0 && values <= static_cast<hssize_t> (most_values) &&
        choices.below (4) != 0 && (known == H5T_INTEGER || known == H5T_FLOAT)) {
      std::vector<double> numbers (static_cast<size_t> (values));
      const double step = choices.byte (), first = choices.byte ();
      for (size_t i = 0; i < numbers.size (); i++)
        numbers[i] = first + step * static_cast<double> (i);
      H5Dwrite (made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data ());
    }
    H5Dclose (made);
    H5Sclose (space);
    H5Pclose (creation);
    H5Tclose (kind);
  }

  void lay_out (hid_t creation, size_t layout, const std::vector<hsize_t> &extent, hid_t space)
  {
    if (layout == 0)
      H5Pset_layout (creation, H5D_COMPACT);
    else if (layout == 7) {
      const char *const others[] = {".", "missing.h5", "/proc/self/exe", "part-%b.h5"};
      const auto from = extents (3);
      const hid_t source = H5Screate_simple (static_cast<int> (from.size ()), from.data (), nullptr);
      H5Pset_virtual (creation, space, choices.one_of (others), choices.one_of (names), source);
      H5Sclose (source);
    } else if (layout == 2)
      H5Pset_external (creation, choices.chance () ? "missing.raw" : "/proc/self/exe", choices.byte (),
                       choices.chance () ? H5F_UNLIMITED : choices.byte ());
    else if (layout >= 3) {
      std::vector<hsize_t> chunk;
      hsize_t most = 512; // values of a chunk, all of which are written for one of them
      for (const auto end : extent) {
        const hsize_t some = choices.chance () ? std::clamp<hsize_t> (end, 1, 64) : 1 + choices.below (40);
        chunk.push_back (std::min (some, most));
        most /= chunk.back ();
      }
      H5Pset_chunk (creation, static_cast<int> (chunk.size ()), chunk.data ());
      filters (creation);
    }
  }

  void filters (hid_t creation)
  {
    for (size_t n = choices.below (4); n > 0; n--) {
      const unsigned values[] = {choices.byte (), choices.byte (), 0, 2, 1, 0};
      const H5Z_filter_t others[] = {32008, 32001, 32004, 32015, 300};
      switch (choices.below (6)) {
      case 0:
        H5Pset_deflate (creation, static_cast<unsigned> (choices.below (10)));
        break;
      case 1:
        H5Pset_shuffle (creation);
        break;
      case 2:
        H5Pset_fletcher32 (creation);
        break;
      case 3:
        H5Pset_scaleoffset (creation, H5Z_SO_INT, static_cast<int> (choices.below (20)));
        break;
      case 4:
        H5Pset_nbit (creation);
        break;
      default: // one that is not there, and may be left out
        H5Pset_filter (creation, choices.one_of (others), H5Z_FLAG_OPTIONAL, choices.below (7), values);
      }
    }
  }

  void link (const std::string &path)
  {
    const char *const targets[] = {"/exchange/data", "/exchange", "/", ".", "/nowhere", "/entry/tomo"};
    const char *const others[] = {"missing.h5", "/proc/self/exe", "", "../../../../../etc/passwd"};
    const std::string target = choices.one_of (targets);
    switch (choices.below (3)) {
    case 0:
      H5Lcreate_soft (target.c_str (), file, path.c_str (), groups (), H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_hard (file, target.c_str (), file, path.c_str (), groups (), H5P_DEFAULT);
      break;
    default:
      H5Lcreate_external (choices.one_of (others), target.c_str (), file, path.c_str (), groups (), H5P_DEFAULT);
    }
  }

  void attribute (const std::string &path)
  {
    const hid_t object = H5Oopen (file, path.c_str (), H5P_DEFAULT);
    const char *const name = choices.one_of (attributes);
    const auto extent = extents (2);
    const hid_t space = choices.chance ()
                            ? H5Screate (H5S_SCALAR)
                            : H5Screate_simple (static_cast<int> (extent.size ()), extent.data (), nullptr);
    if (choices.chance ()) {
      const char *const word = choices.one_of (words);
      const hid_t kind = H5Tcopy (H5T_C_S1);
      const bool variable = choices.chance ();
      H5Tset_size (kind, variable ? H5T_VARIABLE : std::max<size_t> (std::char_traits<char>::length (word), 1));
      const hid_t made = H5Acreate2 (object, name, kind, space, H5P_DEFAULT, H5P_DEFAULT);
      if (H5Sget_simple_extent_npoints (space) == 1)
        H5Awrite (made, kind, variable ? static_cast<const void *> (&word) : word);
      H5Aclose (made);
      H5Tclose (kind);
    } else {
      const hid_t kind = type ();
      const hid_t made = H5Acreate2 (object, name, kind, space, H5P_DEFAULT, H5P_DEFAULT);
      const double value = choices.byte () - 8.0;
      if (H5Sget_simple_extent_npoints (space) == 1 &&
          (H5Tget_class (kind) == H5T_FLOAT || H5Tget_class (kind) == H5T_INTEGER))
        H5Awrite (made, H5T_NATIVE_DOUBLE, &value);
      H5Aclose (made);
      H5Tclose (kind);
    }
    H5Sclose (space);
    H5Oclose (object);
  }
};

// Bytes that are changed afterwards, and how much of the file is left.
struct Lies {
  std::vector<std::pair<size_t, char>> bytes;
  size_t left = 256; // of 256 parts

  explicit Lies (Choices &choices)
  {
    if (choices.below (3) != 1)
      return;
    for (size_t n = 1 + choices.below (8); n > 0; n--) {
      const size_t high = choices.byte (), low = choices.byte ();
      bytes.emplace_back (high << 8 | low, static_cast<char> (choices.byte ()));
    }
    if (choices.below (8) == 1)
      left = choices.byte ();
  }

  void tell (const std::string &path) const
  {
    const auto size = std::filesystem::file_size (path);
    if (size == 0)
      return;
    std::fstream file (path, std::ios::in | std::ios::out | std::ios::binary);
    for (const auto &[place, value] : bytes) {
      file.seekp (static_cast<std::streamoff> (place % size));
      file.put (value);
    }
    file.close ();
    if (left < 256)
      std::filesystem::resize_file (path, size * left / 256);
  }
};

void write_file (Choices &choices, const std::string &path)
{
  H5Eset_auto2 (H5E_DEFAULT, nullptr, nullptr);
  const hid_t access = H5Pcreate (H5P_FILE_ACCESS);
  H5Pset_libver_bounds (access, choices.chance () ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate (path.c_str (), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  Builder (choices, file).build ();
  H5Fclose (file);
}

} // namespace

// The function of the sanitizer, if there is one, that says what it calls before the process ends, which is to make a
// note of the input.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback (void (*callback) ());

BuiltFile build_hdf5 (Choices &choices, const std::string &path)
{
  const Lies lies (choices);
  const pid_t writer = fork (); // the library does not survive all that it is asked to write
  if (writer == 0) {
    if (__sanitizer_set_death_callback)
      __sanitizer_set_death_callback (nullptr);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
      signal (number, SIG_DFL);
    dup2 (open ("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    write_file (choices, path);
    _exit (0);
  }
  int status = -1;
  waitpid (writer, &status, 0);
  lies.tell (path);
  return {status == 0, !lies.bytes.empty ()};
}

} // namespace sino::fuzz
