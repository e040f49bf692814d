// Which vector instructions this machine has, for code that is compiled in several versions.
//
// All versions of a function do the same operations in the same order (files that have them are
// compiled with -ffp-contract=off), so that results do not depend on the machine.
#pragma once

namespace pslab {

/// PSLAB_TARGET_...: attribute of the version for it.
#if defined(__x86_64__)
#define PSLAB_TARGET_AVX512 __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq")))
#define PSLAB_TARGET_AVX2 __attribute__((target("avx2")))
#else
#define PSLAB_TARGET_AVX512
#define PSLAB_TARGET_AVX2
#endif

/// The version of a function that is right for this machine.
template <typename Function>
Function choose_version(Function avx512, Function avx2, Function basic) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
    return avx512;
  }
  if (__builtin_cpu_supports("avx2")) return avx2;
#endif
  static_cast<void>(avx512);
  static_cast<void>(avx2);
  return basic;
}

}  // namespace pslab
