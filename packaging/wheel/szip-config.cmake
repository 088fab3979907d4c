# SPDX-License-Identifier: LGPL-3.0-or-later
# For HDF5: szip's compression as libaec has it, for which Debian installs no file for CMake.
find_path(SZIP_INCLUDE_DIR szlib.h)
find_library(SZIP_LIBRARY sz)
if(SZIP_INCLUDE_DIR AND SZIP_LIBRARY)
  add_library(szip SHARED IMPORTED)
  set_target_properties(szip PROPERTIES IMPORTED_LOCATION "${SZIP_LIBRARY}" OUTPUT_NAME sz)
  set(SZIP_LIBRARIES szip)
else()
  set(SZIP_FOUND FALSE)
endif()
