// SPDX-License-Identifier: LGPL-3.0-or-later
// The natural logarithm of finite values above 0, with the operations of the native kernels (Log of Highway 1.0, after
// musl's). Devices that round divisions correctly thus give the same bits as CPUs with fused multiply-add. OpenCL C
// 1.2.

inline float logarithm (float x)
{
  const bool subnormal = x < 0x1p-126f;
  x = subnormal ? x * 0x1p25f : x;
  // x is y 2^exponent, y from sqrt (1/2) to sqrt (2).
  const int bits = as_int (x) + (0x3f800000 - 0x3f3504f3);
  const float exponent = (bits >> 23) - 127 - (subnormal ? 25 : 0);
  const float y = as_float ((bits & 0x7fffff) + 0x3f3504f3);
  const float beyond = y - 1, z = beyond / (y + 1), z2 = z * z, z4 = z2 * z2;
  const float polynomial = fma (fma (0.28498786688f, z4, 0.66666662693f), z2, fma (0.24279078841f, z4, 0.40000972152f) * z4);
  const float low = exponent * 9.0580006145e-6f;
  return fma (exponent, 0.69313812256f, -(fma (z, beyond - polynomial, -low) - beyond));
}
