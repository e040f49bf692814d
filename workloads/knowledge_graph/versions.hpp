// The versions of a kernel for the vector instructions that a machine may have.
#pragma once

#include "base/isa.hpp"

namespace pslab::kge {

template <auto kBody>
struct Versions;

/// `kBody` is always inlined, so that each version is compiled for its instructions.
template <typename Result, typename... Args, Result (*kBody)(Args...)>
struct Versions<kBody> {
  PSLAB_TARGET_AVX512 static Result avx512(Args... args) { return kBody(args...); }
  PSLAB_TARGET_AVX2 static Result avx2(Args... args) { return kBody(args...); }
  static Result basic(Args... args) { return kBody(args...); }
};

/// The version for this machine.
template <auto kBody>
auto version() {
  using All = Versions<kBody>;
  return choose_version(All::avx512, All::avx2, All::basic);
}

}  // namespace pslab::kge
