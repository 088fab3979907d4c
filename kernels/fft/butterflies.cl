// SPDX-License-Identifier: LGPL-3.0-or-later
// Transforms of a few values in registers, x[k] = sum over j of x[j] e^(2 pi i j k / N), unnormalised. When all is
// inlined, radices are constants, so compilers remove loops and branches and keep x in registers.

#ifdef FP_FAST_FMAF
#define TIMES_PLUS(a, b, c) fma (a, b, c)
#else
#define TIMES_PLUS(a, b, c) ((a) * (b) + (c))
#endif

float2 times (float2 a, float2 b)
{
  return TIMES_PLUS ((float2)(a.x), b, (float2)(-a.y, a.y) * b.yx);
}

float2 plus_i (float2 a, float2 b)
{
  return (float2)(a.x - b.y, a.y + b.x);
}

float2 minus_i (float2 a, float2 b)
{
  return (float2)(a.x + b.y, a.y - b.x);
}

void transform_2 (float2 *x)
{
  const float2 a = x[0] + x[1], b = x[0] - x[1];
  x[0] = a;
  x[1] = b;
}

void transform_3 (float2 *x)
{
  const float2 sum = x[1] + x[2], side = 0.86602540378443865f * (x[1] - x[2]);
  const float2 middle = TIMES_PLUS (sum, (float2)(-0.5f), x[0]);
  x[0] += sum;
  x[1] = plus_i (middle, side);
  x[2] = minus_i (middle, side);
}

void transform_4 (float2 *x)
{
  const float2 t0 = x[0] + x[2], t1 = x[0] - x[2], t2 = x[1] + x[3], t3 = x[1] - x[3];
  x[0] = t0 + t2;
  x[1] = plus_i (t1, t3);
  x[2] = t0 - t2;
  x[3] = minus_i (t1, t3);
}

void transform_5 (float2 *x)
{
  const float2 c1 = 0.30901699437494742f, c2 = -0.80901699437494742f;
  const float2 s1 = 0.95105651629515357f, s2 = 0.58778525229247313f;
  const float2 a = x[1] + x[4], b = x[1] - x[4], c = x[2] + x[3], d = x[2] - x[3];
  const float2 m1 = TIMES_PLUS (c, c2, TIMES_PLUS (a, c1, x[0]));
  const float2 m2 = TIMES_PLUS (c, c1, TIMES_PLUS (a, c2, x[0]));
  const float2 n1 = TIMES_PLUS (d, s2, b * s1);
  const float2 n2 = TIMES_PLUS (b, s2, -d * s1);
  x[0] += a + c;
  x[1] = plus_i (m1, n1);
  x[2] = plus_i (m2, n2);
  x[3] = minus_i (m2, n2);
  x[4] = minus_i (m1, n1);
}

void transform_8 (float2 *x)
{
  float2 even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform_4 (even);
  transform_4 (odd);
  const float2 root = 0.70710678118654752f;
  const float2 o1 = plus_i (odd[1], odd[1]), o3 = minus_i (odd[3], odd[3]);
  x[0] = even[0] + odd[0];
  x[4] = even[0] - odd[0];
  x[1] = TIMES_PLUS (o1, root, even[1]);
  x[5] = TIMES_PLUS (o1, -root, even[1]);
  x[2] = plus_i (even[2], odd[2]);
  x[6] = minus_i (even[2], odd[2]);
  x[3] = TIMES_PLUS (o3, -root, even[3]);
  x[7] = TIMES_PLUS (o3, root, even[3]);
}

// Transforms 16 values as 4 x 4.
void transform_16 (float2 *x)
{
  const float c = 0.92387953251128674f, s = 0.38268343236508977f, h = 0.70710678118654752f;
  const float2 turns[10] = {(float2)(1, 0),  (float2)(c, s),  (float2)(h, h),  (float2)(s, c),  (float2)(0, 1),
                            (float2)(-s, c), (float2)(-h, h), (float2)(-c, s), (float2)(-1, 0), (float2)(-c, -s)};
  float2 y[16];
#pragma unroll
  for (int b = 0; b < 4; b++) {
    float2 u[4] = {x[b], x[4 + b], x[8 + b], x[12 + b]};
    transform_4 (u);
#pragma unroll
    for (int k = 0; k < 4; k++)
      y[4 * k + b] = b * k > 0 ? times (turns[b * k], u[k]) : u[k];
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    transform_4 (y + 4 * k);
#pragma unroll
    for (int q = 0; q < 4; q++)
      x[k + 4 * q] = y[4 * k + q];
  }
}

void transform_few (float2 *x, const int radix)
{
  if (radix == 2)
    transform_2 (x);
  else if (radix == 3)
    transform_3 (x);
  else if (radix == 4)
    transform_4 (x);
  else if (radix == 5)
    transform_5 (x);
  else if (radix == 8)
    transform_8 (x);
  else
    transform_16 (x);
}
