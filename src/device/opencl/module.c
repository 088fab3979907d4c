/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The module has no code: the libraries that it is linked to are what it brings. See library.hpp. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>

/* One function of each library, so that the linker keeps both. */
extern void (*const sino_opencl_libraries[]) (void);
__attribute__ ((visibility ("default"))) void (*const sino_opencl_libraries[]) (void) = {
    (void (*) (void))clGetPlatformIDs, (void (*) (void))clfftSetup};
