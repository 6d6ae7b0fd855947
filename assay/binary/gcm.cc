// Splits messages into whole blocks for the vector form, and checks tags.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/gcm.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assay/base/secret.h"
#include "assay/ops/seal/gcm_lanes.h"

namespace assay::binary {
namespace {

Error Invalid(std::string what) {
  return Error{Code::kInvalidInput, std::move(what), ""};
}

Status CheckTagSize(size_t bytes) {
  if (bytes >= kLeastGcmTagBytes && bytes <= kGcmTagBytes) return {};
  return Invalid(fmt::format("a tag of {} bytes; GCM here has {} to {}", bytes,
                             kLeastGcmTagBytes, kGcmTagBytes));
}

Status CheckSizes(uint64_t in, uint64_t out) {
  if (in == out) return {};
  return Invalid(fmt::format("{} bytes in, but room for {}", in, out));
}

Error Finished() { return Invalid("the message is finished"); }

Error TooLong() {
  return Invalid("a message of more than 2^36 - 32 bytes under one IV");
}

}  // namespace

GcmKey::GcmKey(Bytes key) : key_(new seal::Key) { seal::ExpandKey(key, *key_); }

void GcmKey::WipingDelete::operator()(seal::Key* key) const {
  Wipe(*key);
  delete key;
}

Result<GcmKey> GcmKey::Create(Bytes key) {
  if (key.size() != 16 && key.size() != 24 && key.size() != 32) {
    return Invalid(fmt::format(
        "a key of {} bytes; AES has keys of 16, 24 and 32", key.size()));
  }
  return GcmKey(key);
}

Status GcmStream::CheckIv(Bytes iv) {
  if (iv.empty()) return Invalid("the IV is empty");
  if (iv.size() > kMaxGcmAadBytes) return Invalid("the IV is too long");
  return {};
}

Status GcmStream::CheckMessage(Bytes iv, uint64_t aad, uint64_t in,
                               uint64_t out, size_t tag) {
  ASSAY_TRY(CheckIv(iv));
  ASSAY_TRY(CheckTagSize(tag));
  ASSAY_TRY(CheckSizes(in, out));
  if (in > kMaxGcmDataBytes) return TooLong();
  if (aad > kMaxGcmAadBytes) return Invalid("too much additional data");
  return {};
}

GcmStream::GcmStream(const GcmKey& key, Bytes iv)
    : key_(&key.expanded()), stream_{}, mask_{}, block_{}, pad_{} {
  seal::Block start = {};
  if (iv.size() == 12) {
    std::copy(iv.begin(), iv.end(), start.begin());
    start[15] = 1;
  } else {
    const seal::Block size = ghash::Lengths(0, iv.size());
    seal::HashLanes(*key_, start, iv.data(), iv.size());
    seal::HashLanes(*key_, start, size.data(), size.size());
  }
  mask_ = seal::BlockLanes(*key_, start);
  stream_.counter = aes::Advance(start, 1);
}

GcmStream::GcmStream(GcmStream&& other) noexcept
    : key_(other.key_),
      stream_(other.stream_),
      mask_(other.mask_),
      block_(other.block_),
      pad_(other.pad_),
      filled_(other.filled_),
      aad_bytes_(other.aad_bytes_),
      data_bytes_(other.data_bytes_),
      in_data_(other.in_data_),
      finished_(std::exchange(other.finished_, true)) {
  Wipe(other.stream_);
  Wipe(other.mask_);
  Wipe(other.pad_);
}

GcmStream::~GcmStream() {
  Wipe(stream_);
  Wipe(mask_);
  Wipe(block_);
  Wipe(pad_);
}

// Zeros fill up what is left of the last block.
void GcmStream::FillBlock() {
  if (filled_ == 0) return;
  seal::HashLanes(*key_, stream_.hash, block_.data(), filled_);
  filled_ = 0;
}

Status GcmStream::Aad(Bytes piece) {
  if (finished_) return Finished();
  if (in_data_) return Invalid("additional data after the message began");
  if (piece.size() > kMaxGcmAadBytes - aad_bytes_) {
    return Invalid("more than 2^61 - 1 bytes of additional data");
  }
  aad_bytes_ += piece.size();
  if (filled_ != 0) {
    const size_t size = std::min(piece.size(), 16 - filled_);
    std::copy_n(piece.begin(), size, block_.begin() + filled_);
    filled_ += size;
    piece = piece.subspan(size);
    if (filled_ < 16) return {};
    FillBlock();
  }
  if (piece.empty()) return {};
  const size_t whole = piece.size() / 16 * 16;
  seal::HashLanes(*key_, stream_.hash, piece.data(), whole);
  filled_ = piece.size() - whole;
  std::copy(piece.begin() + static_cast<ptrdiff_t>(whole), piece.end(),
            block_.begin());
  return {};
}

// Bytes inside the current block, whose key stream is at hand.
void GcmStream::CryptSome(Direction direction, Bytes in, uint8_t* out) {
  for (size_t i = 0; i < in.size(); ++i, ++filled_) {
    const uint8_t before = in[i];
    const uint8_t after = before ^ pad_[filled_];
    block_[filled_] = direction == Direction::kEncrypt ? after : before;
    out[i] = after;
  }
}

Status GcmStream::Crypt(Direction direction, Bytes in, MutableBytes out) {
  if (finished_) return Finished();
  ASSAY_TRY(CheckSizes(in.size(), out.size()));
  if (in.size() > kMaxGcmDataBytes - data_bytes_) return TooLong();
  data_bytes_ += in.size();
  if (!in_data_) {
    FillBlock();
    in_data_ = true;
  }
  uint8_t* to = out.data();
  if (filled_ != 0) {
    const size_t size = std::min(in.size(), 16 - filled_);
    CryptSome(direction, in.first(size), to);
    in = in.subspan(size);
    to += size;
    if (filled_ < 16) return {};
    FillBlock();
  }
  const size_t whole = in.size() / 16 * 16;
  if (whole == 0) {
    // A tail alone.
  } else if (direction == Direction::kEncrypt) {
    seal::EncryptLanes(*key_, stream_, in.data(), to, whole);
  } else {
    seal::DecryptLanes(*key_, stream_, in.data(), to, whole);
  }
  if (whole == in.size()) return {};
  pad_ = seal::BlockLanes(*key_, stream_.counter);
  stream_.counter = aes::Advance(stream_.counter, 1);
  CryptSome(direction, in.subspan(whole), to + whole);
  return {};
}

const seal::Stream& GcmStream::BeginData() {
  FillBlock();
  in_data_ = true;
  return stream_;
}

void GcmStream::EndData(const seal::Stream& stream, uint64_t bytes) {
  stream_ = stream;
  data_bytes_ = bytes;
}

Result<seal::Block> GcmStream::Tag() {
  if (finished_) return Finished();
  FillBlock();
  finished_ = true;
  const seal::Block sizes = ghash::Lengths(aad_bytes_, data_bytes_);
  seal::HashLanes(*key_, stream_.hash, sizes.data(), sizes.size());
  seal::Block tag = stream_.hash;
  for (size_t i = 0; i < tag.size(); ++i) tag[i] ^= mask_[i];
  return tag;
}

Result<GcmSealer> GcmSealer::Begin(const GcmKey& key, Bytes iv) {
  ASSAY_TRY(CheckIv(iv));
  return GcmSealer(key, iv);
}

Status GcmSealer::Finish(MutableBytes tag) {
  ASSAY_TRY(CheckTagSize(tag.size()));
  ASSAY_ASSIGN(whole, Tag());
  std::copy_n(whole.begin(), tag.size(), tag.begin());
  return {};
}

Result<GcmOpener> GcmOpener::Begin(const GcmKey& key, Bytes iv) {
  ASSAY_TRY(CheckIv(iv));
  return GcmOpener(key, iv);
}

GcmOpener::~GcmOpener() { Wipe(plain_.data(), plain_.size()); }

Status GcmOpener::Update(Bytes sealed) {
  const size_t size = plain_.size();
  if (sealed.size() > kMaxGcmDataBytes - size) return TooLong();
  // A vector that grows would leave its old bytes behind.
  if (plain_.capacity() - size < sealed.size()) {
    std::vector<uint8_t> larger;
    larger.reserve(std::max(2 * size, size + sealed.size()));
    larger.assign(plain_.begin(), plain_.end());
    Wipe(plain_.data(), size);
    plain_ = std::move(larger);
  }
  plain_.resize(size + sealed.size());
  const Status status =
      Crypt(Direction::kDecrypt, sealed, MutableBytes(plain_).subspan(size));
  if (!status.ok()) plain_.resize(size);
  return status;
}

Result<bool> GcmOpener::Finish(Bytes tag, std::vector<uint8_t>* plain) {
  plain->clear();
  ASSAY_TRY(CheckTagSize(tag.size()));
  ASSAY_ASSIGN(expected, Tag());
  const bool accepted =
      EqualInConstantTime(Bytes(expected).first(tag.size()), tag);
  Wipe(expected);
  if (accepted) {
    *plain = std::move(plain_);
  } else {
    Wipe(plain_.data(), plain_.size());
  }
  plain_.clear();
  return accepted;
}

namespace {

// A stream that one-shot calls drive in either direction.
class OneShot : public GcmStream {
 public:
  using GcmStream::CheckMessage;
  OneShot(const GcmKey& key, Bytes iv) : GcmStream(key, iv) {}
  ~OneShot() = default;
  OneShot(const OneShot&) = delete;
  OneShot& operator=(const OneShot&) = delete;

  Result<seal::Block> Run(bool encrypt, Bytes aad, Bytes in, MutableBytes out) {
    ASSAY_TRY(Aad(aad));
    ASSAY_TRY(
        Crypt(encrypt ? Direction::kEncrypt : Direction::kDecrypt, in, out));
    return Tag();
  }
};

}  // namespace

Status GcmSeal(const GcmKey& key, Bytes iv, Bytes aad, Bytes plain,
               MutableBytes out, MutableBytes tag) {
  ASSAY_TRY(OneShot::CheckMessage(iv, aad.size(), plain.size(), out.size(),
                                  tag.size()));
  ASSAY_ASSIGN(whole, OneShot(key, iv).Run(true, aad, plain, out));
  std::copy_n(whole.begin(), tag.size(), tag.begin());
  return {};
}

Result<bool> GcmOpen(const GcmKey& key, Bytes iv, Bytes aad, Bytes sealed,
                     Bytes tag, MutableBytes out) {
  ASSAY_TRY(OneShot::CheckMessage(iv, aad.size(), sealed.size(), out.size(),
                                  tag.size()));
  ASSAY_ASSIGN(expected, OneShot(key, iv).Run(false, aad, sealed, out));
  const bool accepted =
      EqualInConstantTime(Bytes(expected).first(tag.size()), tag);
  Wipe(expected);
  if (!accepted) Wipe(out.data(), out.size());
  return accepted;
}

}  // namespace assay::binary
