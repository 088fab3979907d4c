// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/fft.hpp"
#include "base/error.hpp"
#include "device/fft/backend.hpp"
#include "device/fft/plan.hpp"

namespace sino {

Fft::Fft (int64_t length) : length_ (length), plan (fft_backend ().plan (length))
{
  if (!plan)
    fail (SINO_ERROR_FAILED, "no Fourier transform of length %" G_GINT64_FORMAT, length);
}

Fft::~Fft ()
{
  fft_backend ().drop (plan);
}

void Fft::forward (const Value *from, Value *to, Value *work) const
{
  fft_backend ().forward (plan, reinterpret_cast<const float *> (from), reinterpret_cast<float *> (to),
                          reinterpret_cast<float *> (work));
}

void Fft::backward (const Value *from, Value *to, Value *work) const
{
  fft_backend ().backward (plan, reinterpret_cast<const float *> (from), reinterpret_cast<float *> (to),
                           reinterpret_cast<float *> (work));
}

int64_t Fft::work_values (int64_t length)
{
  return fft_backend ().work_values (length);
}

size_t Fft::plan_bytes (int64_t length)
{
  return fft_backend ().plan_bytes (length);
}

int64_t Fft::good_length (int64_t at_least)
{
  return FftPlan::good_length (at_least);
}

} // namespace sino
