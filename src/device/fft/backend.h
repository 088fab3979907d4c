/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What gives Fourier transforms on the CPU: own.cpp, or with -Dfftw=enabled a module in the folder fft/ beside the
 * modules of nodes, named sinograph-fft-NAME.so. The mark is read from the file before it is loaded. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define SINO_FFT_MARK "sinograph-fft-api:"
#define SINO_FFT_API "2"

typedef struct {
  /* A plan for complex transforms of `length` values, the same in every process; null when there is none. */
  void *(*plan) (int64_t length);
  void (*drop) (void *plan);
  /* Most bytes that a plan takes while it is made and afterwards. */
  size_t (*plan_bytes) (int64_t length);
  /* Complex values of temporary memory that a transform needs. */
  int64_t (*work_values) (int64_t length);
  /* Unnormalised. `from`, `to` and `work` differ, are aligned to 64 bytes, and `from` keeps its values. Any thread. */
  void (*forward) (const void *plan, const float *from, float *to, float *work);
  void (*backward) (const void *plan, const float *from, float *to, float *work);
} SinoFftBackend;

/* The module's one symbol, `sino_fft_backend`. */
typedef const SinoFftBackend *(*SinoFftBackendFunction) (void);
