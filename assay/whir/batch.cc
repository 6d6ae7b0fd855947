// Stages small data and sends it along with the kernels that read it.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/batch.h"

#include <utility>

namespace assay::whir {

Result<Scratch> Scratch::Make(Device& device, const ScratchSize& size) {
  Scratch scratch;
  scratch.device_ = &device;
  ASSAY_ASSIGN(in, device.Allocate(Room(size.in_bytes), "scratch"));
  ASSAY_ASSIGN(out, device.Allocate(Room(size.out_bytes), "scratch"));
  scratch.in_ = std::move(in);
  scratch.out_ = std::move(out);
  return scratch;
}

Status Pending::Wait() {
  ++traffic_->waits;
  return ticket_.Wait();
}

Batch::Batch(Scratch& scratch, std::string_view stage)
    : scratch_(scratch),
      recorder_(scratch.device().Record(scratch.timed_ ? stage : "")) {
  scratch_.staged_.clear();
}

View<std::byte> Batch::Place(size_t bytes) {
  const uint64_t first = sent_ + Room(scratch_.staged_.size());
  scratch_.staged_.resize(first - sent_);
  if (first + bytes > scratch_.in_.bytes()) {
    failed_ = Error{Code::kInternal, "a batch has outgrown its scratch", ""};
    return scratch_.in_.As<std::byte>().Sub(0, 0);
  }
  return scratch_.in_.As<std::byte>().Sub(first, bytes);
}

void Batch::Stage(std::span<const std::byte> bytes) {
  scratch_.staged_.insert(scratch_.staged_.end(), bytes.begin(), bytes.end());
}

View<std::byte> Batch::TakeBytes(size_t bytes) {
  const uint64_t first = taken_;
  taken_ = Room(taken_ + bytes);
  if (first + bytes > scratch_.out_.bytes()) {
    failed_ = Error{Code::kInternal, "a batch has outgrown its scratch", ""};
    return scratch_.out_.As<std::byte>().Sub(0, 0);
  }
  return scratch_.out_.As<std::byte>().Sub(first, bytes);
}

Status Batch::Upload() {
  ASSAY_TRY(failed_);
  if (scratch_.staged_.empty()) return {};
  const View<std::byte> to =
      scratch_.in_.As<std::byte>().Sub(sent_, scratch_.staged_.size());
  ASSAY_TRY(device().Upload(to, std::span<const std::byte>(scratch_.staged_)));
  ++scratch_.traffic_.uploads;
  sent_ += Room(scratch_.staged_.size());
  scratch_.staged_.clear();
  return {};
}

void Batch::RunStep() {
  const std::string_view stage = recorder_.stage();
  Status done = Run();
  if (!done.ok()) failed_ = std::move(done);
  recorder_ = device().Record(stage);
}

Result<Pending> Batch::Submit() {
  ASSAY_TRY(Upload());
  ++scratch_.traffic_.submissions;
  Pending pending;
  pending.ticket_ = device().Submit(std::move(recorder_));
  pending.traffic_ = &scratch_.traffic_;
  return pending;
}

Status Batch::Run() {
  ASSAY_ASSIGN(pending, Submit());
  return pending.Wait();
}

}  // namespace assay::whir
