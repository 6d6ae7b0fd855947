// Reads pieces into device memory and carries one block of state.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/file_ghash.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/ops/ghash/ghash_kernels.h"

namespace assay::binary {
namespace {

constexpr size_t kPieceBytes = size_t{4} << 20;

}  // namespace

Result<StreamGhash> GhashOf(Device& device, const std::array<uint8_t, 16>& h,
                            InputStream& stream, const Progress& progress) {
  StreamGhash result;
  ASSAY_ASSIGN(data, device.Allocate(kPieceBytes, "piece"));
  ASSAY_ASSIGN(key, device.Allocate(h.size(), "hash key"));
  ASSAY_ASSIGN(state, device.Allocate(h.size(), "state"));
  const View<uint8_t> piece = data.As<uint8_t>();
  ASSAY_TRY(device.Upload(key.As<uint8_t>(), std::span<const uint8_t>(h)));
  ASSAY_TRY(device.Upload(state.As<uint8_t>(),
                          std::span<const uint8_t>(result.hash)));
  std::vector<uint8_t> staging(kPieceBytes);
  for (;;) {
    if (progress && !progress("ghash", result.bytes,
                              std::max(result.bytes, stream.size_hint()))) {
      return Cancelled("the work");
    }
    ASSAY_ASSIGN(got, stream.Read(std::as_writable_bytes(std::span(staging))));
    ASSAY_TRY(device.Upload(piece.Sub(0, got),
                            std::span<const uint8_t>(staging).first(got)));
    Recorder recorder = device.Record("ghash");
    RecordGhash(recorder, key.As<uint8_t>(), piece, state.As<uint8_t>(), got);
    ASSAY_TRY(device.Run(std::move(recorder)));
    result.bytes += got;
    if (got < kPieceBytes) break;
  }
  ASSAY_TRY(device.Read(state.As<uint8_t>(), std::span<uint8_t>(result.hash)));
  return result;
}

}  // namespace assay::binary
