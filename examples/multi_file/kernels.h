// The host interface of the kernels: main.cu launches through it and sees no device code but Vec3's.
#pragma once

#include "vec3.cuh"

/// Multiplies each of `n` device vectors by `factor`.
void scaleVectors(Vec3* vectors, float factor, int n);

/// Writes the squared length of each of `n` device vectors.
void squareLengths(const Vec3* vectors, float* lengths, int n);
