// Collects what was done when, and how long each step took.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// One timed piece of work. `name` is a kernel or host step ("ntt.pass"),
// `stage` the step of the engine it belongs to ("commit").
struct Span {
  std::string name;
  std::string stage;
  int64_t start_ns = 0;  // since the trace began
  int64_t duration_ns = 0;
  std::string device;  // "cpu", "host", "cuda:0", ...
};

// Not thread-safe: filled by the thread that submits work.
class Trace {
 public:
  Trace() : begin_(std::chrono::steady_clock::now()) {}

  int64_t NowNs() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now() - begin_)
        .count();
  }
  void Add(Span span) { spans_.push_back(std::move(span)); }
  const std::vector<Span>& spans() const { return spans_; }

  // Time by span name, largest first.
  struct Total {
    std::string name;
    int64_t duration_ns = 0;
    int64_t count = 0;
  };
  std::vector<Total> Totals() const;

  // Chrome trace format (chrome://tracing, Perfetto).
  std::string ToChromeJson() const;

 private:
  std::chrono::steady_clock::time_point begin_;
  std::vector<Span> spans_;
};

// Times a scope on the host and adds it to `trace`, which may be null.
class ScopedSpan {
 public:
  ScopedSpan(Trace* trace, std::string_view name, std::string_view stage)
      : trace_(trace), name_(name), stage_(stage) {
    if (trace_ != nullptr) start_ns_ = trace_->NowNs();
  }
  ~ScopedSpan() {
    if (trace_ == nullptr) return;
    trace_->Add({std::string(name_), std::string(stage_), start_ns_,
                 trace_->NowNs() - start_ns_, "host"});
  }
  ScopedSpan(const ScopedSpan&) = delete;
  ScopedSpan& operator=(const ScopedSpan&) = delete;

 private:
  Trace* trace_;
  std::string_view name_;
  std::string_view stage_;
  int64_t start_ns_ = 0;
};

}  // namespace assay
