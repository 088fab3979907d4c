// SPDX-License-Identifier: LGPL-3.0-or-later
// Sums along rays by the texture engine, which reads between four voxels at once, with weights of 8 bits. The slab is in
// arrays of 2-D images, one image for each plane. (NVIDIA boards read 3-D images at half the speed.)
//
// Positions are rounded to 2^-12 of a voxel, in the same way for any slab.
#include "rays.cl"

// Copies neighbouring slices to the slab, from its slice `to`.
kernel void arrange (global const float *slices, ulong from, int width, int height, int to,
                     write_only image2d_array_t along_y, write_only image2d_array_t along_x
#ifdef STEEP
                     ,
                     write_only image2d_array_t along_z
#endif
)
{
  const int x = get_global_id (0), y = get_global_id (1), n = get_global_id (2);
  if (x >= width || y >= height)
    return;
  const float4 value = slices[from + ((size_t) n * height + y) * width + x];
  write_imagef (along_y, (int4) (x, to + n, y, 0), value);
  write_imagef (along_x, (int4) (y, to + n, x, 0), value);
#ifdef STEEP
  write_imagef (along_z, (int4) (x, y, to + n, 0), value);
#endif
}

constant const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

// Returns the place in an image whose first pixel is voxel `first`.
inline float place (long at, int first)
{
  return ((int) (at >> 20) - first * 4096 + 0.5f) * (1.0f / 4096) + 0.5f;
}

#define SUM(image, first_up, first_layer)                                                                              \
  for (int n = 0; n < planes.count; n++) {                                                                             \
    const float value =                                                                                                \
        read_imagef (image, linear, (float4) (place (in, 0), place (above, first_up), layer - (first_layer), 0)).x;    \
    sum = fma (ray.length, value, sum);                                                                                \
    in += in_step;                                                                                                     \
    above += up_step;                                                                                                  \
    layer += planes.step;                                                                                              \
  }

kernel void forward_project (constant const View *views, const Frame f, read_only image2d_array_t along_y,
                             read_only image2d_array_t along_x, global float *sums
#ifdef STEEP
                             ,
                             read_only image2d_array_t along_z
#endif
)
{
  const Place p = place_of (f);
  constant const View *view = views + p.view;
  if (!has_ray (f, view, p))
    return;
  const Ray ray = ray_of (f, view, p);
  const Planes planes = planes_of (f, ray);
  if (planes.count == 0)
    return;
  long in = ray.in + planes.first * ray.in_step, above = ray.up + planes.first * ray.up_step;
  const long in_step = planes.step * ray.in_step, up_step = planes.step * ray.up_step;
  int layer = planes.first;
  global float *out = sums + place_in_sums (f, view, p);
  float sum = *out;
  if (ray.along == 1) {
#pragma unroll 4
    SUM (along_y, f.begin, 0)
  } else if (ray.along == 0) {
#pragma unroll 4
    SUM (along_x, f.begin, 0)
  }
#ifdef STEEP
  else
    SUM (along_z, 0, f.begin)
#endif
  *out = sum;
}

#include "average.cl"
