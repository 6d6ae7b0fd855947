// Ends a bench, with the error's words, where something fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "assay/base/result.h"

namespace assay::bench {

inline void OrExit(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.error().what.c_str());
  std::exit(1);
}

template <class T>
T OrExit(Result<T> result) {
  if (!result.ok()) OrExit(Status(result.error()));
  return std::move(*result);
}

}  // namespace assay::bench
