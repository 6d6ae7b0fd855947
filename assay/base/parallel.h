// Runs loops over several threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace assay {

// A fixed number of worker threads. The only room that knows a threading
// library.
class Threads {
 public:
  // 0: as many as the machine offers this process.
  explicit Threads(int count = 0);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }

  // Calls body(begin, end) over disjoint ranges that cover [0, total), each a
  // multiple of `grain` long but the last. With one thread: one call.
  template <class Body>
  void For(size_t total, size_t grain, Body&& body) const {
    if (total == 0) return;
    if (count_ == 1 || total <= grain) {
      body(size_t{0}, total);
      return;
    }
    using Function = std::remove_reference_t<Body>;
    Run(
        total, grain,
        [](void* context, size_t begin, size_t end) {
          (*static_cast<Function*>(context))(begin, end);
        },
        const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  using RangeFn = void (*)(void* context, size_t begin, size_t end);
  void Run(size_t total, size_t grain, RangeFn fn, void* context) const;

  struct Arena;
  int count_;
  std::unique_ptr<Arena> arena_;
};

// The number of hardware threads this process may use, at least 1.
int HardwareThreads();

}  // namespace assay
