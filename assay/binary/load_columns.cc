// Makes columns on the device, or reads them piece by piece.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/load_columns.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/progress.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"

namespace assay::binary {
namespace {

// Where host and device share memory, big steps keep threads busy, and small
// ones let the work be cancelled.
constexpr uint64_t kStepInPlace = 256;
constexpr int kMostReaders = 32;

class Loader {
 public:
  Loader(Device& device, const SumcheckPlan& plan, const Columns& columns,
         const ProveContext& context, Buffer& buffer)
      : device_(device),
        plan_(plan),
        columns_(columns),
        context_(context),
        buffer_(buffer),
        shared_(buffer.host_data() != nullptr),
        threads_(shared_ ? device.info().threads
                         : std::min(HardwareThreads(), kMostReaders)),
        pieces_(columns.Pieces() * static_cast<uint64_t>(columns.d())),
        digests_(columns.HashesData() ? pieces_ : 0) {}

  Status Run() {
    const uint64_t step =
        shared_ ? kStepInPlace : static_cast<uint64_t>(threads_.count());
    for (uint64_t from = 0; from < pieces_; from += step) {
      if (context_.progress && !context_.progress("columns", from, pieces_)) {
        return Cancelled("the proof");
      }
      const uint64_t count = std::min(step, pieces_ - from);
      if (!shared_) staging_.resize(count * columns_.PieceSize());
      std::vector<Status> done(count);
      threads_.For(count, 1, [&](size_t begin, size_t end) {
        for (size_t k = begin; k < end; ++k) done[k] = Fill(from + k, k);
      });
      for (const Status& status : done) ASSAY_TRY(status);
      if (!shared_) ASSAY_TRY(Upload(from, count));
    }
    return {};
  }

  Sha256Hash Context() const { return columns_.Context(digests_); }

 private:
  int ColumnOf(uint64_t piece) const {
    return static_cast<int>(piece / columns_.Pieces());
  }
  uint64_t FirstOf(uint64_t piece) const {
    return piece % columns_.Pieces() * columns_.PieceSize();
  }
  // Where a piece stands in the buffer.
  uint64_t OffsetOf(uint64_t piece) const {
    return static_cast<uint64_t>(ColumnOf(piece)) * plan_.stride +
           FirstOf(piece);
  }

  // Reads a piece to its place, or to place `k` of the staging memory.
  Status Fill(uint64_t piece, size_t k) {
    const uint64_t size = columns_.PieceSize();
    Gf2_128* to = shared_ ? reinterpret_cast<Gf2_128*>(buffer_.host_data()) +
                                OffsetOf(piece)
                          : staging_.data() + k * size;
    const std::span<Gf2_128> elements(to, size);
    ASSAY_TRY(columns_.Read(ColumnOf(piece), FirstOf(piece), elements));
    if (!digests_.empty()) digests_[piece] = PieceDigest(elements);
    return {};
  }

  // Copies what stands in the staging memory, a run of pieces of one column at
  // a time.
  Status Upload(uint64_t from, uint64_t count) {
    const uint64_t size = columns_.PieceSize();
    for (uint64_t done = 0; done < count;) {
      const uint64_t in_column = (from + done) % columns_.Pieces();
      const uint64_t run =
          std::min(count - done, columns_.Pieces() - in_column);
      ASSAY_TRY(device_.Upload(
          buffer_.As<Gf2_128>().Sub(OffsetOf(from + done), run * size),
          std::span<const Gf2_128>(staging_).subspan(done * size, run * size)));
      done += run;
    }
    return {};
  }

  Device& device_;
  const SumcheckPlan& plan_;
  const Columns& columns_;
  const ProveContext& context_;
  Buffer& buffer_;
  bool shared_;
  Threads threads_;
  uint64_t pieces_;
  std::vector<Sha256Hash> digests_;
  std::vector<Gf2_128> staging_;
};

Status Generate(Device& device, const SumcheckPlan& plan, uint64_t seed,
                const Buffer& buffer) {
  Recorder recorder = device.Record("columns");
  recorder.Dispatch<ProductRoundsGenerate>({buffer.As<Gf2_128>().raw},
                                           {TableOf(plan),
                                            static_cast<uint32_t>(seed),
                                            static_cast<uint32_t>(seed >> 32),
                                            {0, 0}});
  return device.Run(std::move(recorder));
}

}  // namespace

Result<LoadedColumns> LoadColumns(Runtime& runtime, const SumcheckPlan& plan,
                                  const Columns& columns,
                                  const ProveContext& context) {
  Device& device = runtime.device();
  const ScopedSpan span(context.trace, "read", "columns");
  LoadedColumns loaded;
  ASSAY_ASSIGN(buffer,
               device.AllocateArray<Gf2_128>(plan.ColumnElements(), "columns"));
  loaded.buffer = std::move(buffer);
  if (const auto seed = columns.Seed(); seed && plan.on_device) {
    ASSAY_TRY(Generate(device, plan, *seed, loaded.buffer));
    // What nobody asked for is not the proof's.
    Trace dropped;
    device.CollectSpans(context.trace != nullptr ? *context.trace : dropped);
    loaded.context = columns.Context({});
    return loaded;
  }
  Loader loader(device, plan, columns, context, loaded.buffer);
  ASSAY_TRY(loader.Run());
  loaded.context = loader.Context();
  return loaded;
}

}  // namespace assay::binary
