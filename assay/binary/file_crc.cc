// Reads blocks into device memory and advances one register.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/file_crc.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/ops/crc/crc_kernels.h"

namespace assay::binary {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;

}  // namespace

Result<StreamCrc> CrcOf(Device& device, crc::Kind kind, InputStream& stream,
                        const Progress& progress) {
  const crc::Generator generator = crc::GeneratorOf(kind);
  ASSAY_ASSIGN(data, device.Allocate(kBlockBytes, "block"));
  ASSAY_ASSIGN(buffer, device.AllocateArray<uint64_t>(1, "register"));
  const View<std::byte> block = data.As<std::byte>();
  const View<uint64_t> view = buffer.As<uint64_t>();
  uint64_t r = generator.Ones();
  ASSAY_TRY(device.Upload(view, std::span<const uint64_t>(&r, 1)));
  std::vector<std::byte> staging;
  if (data.host_data() == nullptr) staging.resize(kBlockBytes);
  const std::span<std::byte> host =
      data.host_data() != nullptr ? std::span(data.host_data(), kBlockBytes)
                                  : std::span(staging);
  StreamCrc result;
  for (;;) {
    if (progress && !progress("crc", result.bytes,
                              std::max(result.bytes, stream.size_hint()))) {
      return Cancelled("the work");
    }
    ASSAY_ASSIGN(got, stream.Read(host));
    if (!staging.empty()) {
      ASSAY_TRY(device.Upload(block.Sub(0, got),
                              std::span<const std::byte>(host.first(got))));
    }
    Recorder recorder = device.Record("crc");
    RecordCrc(recorder, generator, block, 1, 0, got, view);
    ASSAY_TRY(device.Run(std::move(recorder)));
    result.bytes += got;
    if (got < host.size()) break;
  }
  ASSAY_TRY(device.Read(view, std::span(&r, 1)));
  result.crc = r ^ generator.Ones();
  return result;
}

}  // namespace assay::binary
