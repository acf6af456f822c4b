// Special functions of CUDA's math library that the C++ library lacks, in double precision.
#include <cmath>
#include <limits>

#include "cuinstrument/backend/cpu/toolkit/math_functions.h"

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = 3.14159265358979323846;
constexpr double sqrtPi = 1.77245385090551602730;
constexpr double sqrtHalf = 0.70710678118654752440;

/// An estimate of the normal quantile for p in (0, 1/2], by Hastings' rational fit; absolute error 4.5e-4.
double quantileEstimate(double p) {
  const double t = std::sqrt(-2.0 * std::log(p));
  return -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
}

/// x with erfc(x) = y for y in (0, 1]: Halley's iteration from the estimate above, cubic.
double erfcinvUpper(double y) {
  double x = -quantileEstimate(y / 2) * sqrtHalf;
  for (int i = 0; i < 4; ++i) {
    const double slope = -2.0 / sqrtPi * std::exp(-x * x);
    if (slope == 0) break;
    const double step = (std::erfc(x) - y) / slope;
    x -= step / (1.0 + x * step);
  }
  return x;
}

}  // namespace

double cuiErfcinv(double y) noexcept {
  if (!(y >= 0 && y <= 2)) return undefined;
  if (y == 0) return infinity;
  if (y == 2) return -infinity;
  return y <= 1 ? erfcinvUpper(y) : -erfcinvUpper(2 - y);
}

double cuiErfinv(double x) noexcept {
  if (!(x >= -1 && x <= 1)) return undefined;
  if (x == 1 || x == -1) return x * infinity;
  const double magnitude = std::fabs(x);
  if (magnitude > 0.5) return std::copysign(erfcinvUpper(1 - magnitude), x);
  double r = x * sqrtPi / 2;  // the series' first term; Newton on erf, which is accurate near 0
  for (int i = 0; i < 6; ++i) {
    const double step = (std::erf(r) - x) / (2.0 / sqrtPi * std::exp(-r * r));
    r -= step / (1.0 + r * step);
  }
  return r;
}

double cuiErfcx(double x) noexcept {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  // Continued asymptotic series: the terms fall by 1/(2x²) <= 1/800.
  const double q = 1 / (2 * x * x);
  return (1 - q * (1 - 3 * q * (1 - 5 * q * (1 - 7 * q * (1 - 9 * q))))) / (x * sqrtPi);
}

double cuiNormcdf(double x) noexcept {
  return 0.5 * std::erfc(-x * sqrtHalf);
}

double cuiNormcdfinv(double p) noexcept {
  return -cuiErfcinv(2 * p) / sqrtHalf;
}

double cuiBesselI0(double x) noexcept {
  const double a = std::fabs(x);
  return a == infinity ? infinity : std::cyl_bessel_i(0.0, a);
}

double cuiBesselI1(double x) noexcept {
  const double a = std::fabs(x);
  return a == infinity ? x : std::copysign(std::cyl_bessel_i(1.0, a), x);
}

double cuiSinpi(double x) noexcept {
  if (!std::isfinite(x)) return undefined;
  const double magnitude = std::fabs(x);
  const double period = std::fmod(magnitude, 2.0);  // exact
  double value;
  if (period <= 0.25)
    value = std::sin(pi * period);
  else if (period < 0.75)
    value = std::cos(pi * (0.5 - period));
  else if (period <= 1.25)
    value = std::sin(pi * (1.0 - period));
  else if (period < 1.75)
    value = -std::cos(pi * (1.5 - period));
  else
    value = std::sin(pi * (period - 2.0));
  if (value == 0) return std::copysign(0.0, x);
  return x < 0 ? -value : value;
}

double cuiCospi(double x) noexcept {
  if (!std::isfinite(x)) return undefined;
  const double period = std::fmod(std::fabs(x), 2.0);
  if (period <= 0.25) return std::cos(pi * period);
  if (period < 0.75) return std::sin(pi * (0.5 - period)) + 0.0;
  if (period <= 1.25) return -std::cos(pi * (1.0 - period));
  if (period < 1.75) return std::sin(pi * (period - 1.5)) + 0.0;
  return std::cos(pi * (period - 2.0));
}
