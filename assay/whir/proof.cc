// Writes proof files and reads them strictly.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "assay/base/bytes.h"

namespace assay::whir {
namespace {

constexpr std::string_view kMagic = "WHIRBB08";
constexpr size_t kElementBytes = 4;
constexpr size_t kExtBytes = 16;
constexpr size_t kDigestBytes = 32;

class Writer : public ByteWriter {
 public:
  using ByteWriter::ByteWriter;

  void Element(BabyBear x) { U32(x.residue); }
  void Ext(const Ext4& x) {
    for (const BabyBear c : x.c) Element(c);
  }
  void DigestOf(const Digest& digest) {
    for (const BabyBear x : digest) Element(x);
  }
  void Exts(const std::vector<Ext4>& xs) {
    Varint(xs.size());
    for (const Ext4& x : xs) Ext(x);
  }
  // A list of one root.
  void Cap(const Digest& root) {
    Varint(1);
    DigestOf(root);
  }
  void Sumcheck(const SumcheckPart& part) {
    Varint(part.messages.size());
    for (const SumcheckPart::Message& message : part.messages) {
      Ext(message.at_zero);
      Ext(message.leading);
    }
    Varint(part.witnesses.size());
    for (const BabyBear witness : part.witnesses) Element(witness);
  }
  void Rows(const Opening& opening) {
    Varint(opening.extension ? 1 : 0);
    const size_t count = opening.RowCount();
    Varint(count);
    for (size_t i = 0; i < count; ++i) {
      Varint(opening.row_elements / (opening.extension ? 4 : 1));
      for (const BabyBear x : opening.Row(i)) Element(x);
    }
    Varint(opening.siblings.size());
    for (const Digest& sibling : opening.siblings) DigestOf(sibling);
  }
};

// Fails at the first byte that does not fit, and says where.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  void Skip(size_t count) { skipped_ = count; }

  Error Corrupt(std::string_view what) const {
    return CorruptAt(bytes_.offset(), what);
  }

  Status Constant(uint64_t expected, std::string_view what) {
    const size_t start = bytes_.offset();
    uint64_t value = 0;
    if (bytes_.Varint(&value) && value == expected) return {};
    return CorruptAt(start, what);
  }

  Status Flag(bool* flag, std::string_view what) {
    const size_t start = bytes_.offset();
    uint64_t value = 0;
    if (!bytes_.Varint(&value) || value > 1) return CorruptAt(start, what);
    *flag = value == 1;
    return {};
  }

  // The length of a list whose items take at least `item_bytes` bytes each,
  // so that nobody reserves more than the bytes can fill.
  Status Count(size_t* count, size_t item_bytes, std::string_view what) {
    uint64_t value = 0;
    if (!bytes_.Varint(&value)) {
      return Corrupt(fmt::format("no minimal length of {}", what));
    }
    if (value > bytes_.remaining() / item_bytes) {
      return Corrupt(fmt::format("{} {} do not fit the file", value, what));
    }
    *count = static_cast<size_t>(value);
    return {};
  }

  Status Element(BabyBear* x) {
    const size_t start = bytes_.offset();
    uint32_t residue = 0;
    if (!bytes_.U32(&residue)) return Corrupt("the file ends");
    if (residue >= BabyBear::kPrime) {
      return CorruptAt(start, "a field element not below the prime");
    }
    *x = BabyBear::FromResidue(residue);
    return {};
  }
  Status Ext(Ext4* x) {
    for (BabyBear& c : x->c) ASSAY_TRY(Element(&c));
    return {};
  }
  Status DigestOf(Digest* digest) {
    for (BabyBear& x : *digest) ASSAY_TRY(Element(&x));
    return {};
  }
  Status Exts(std::vector<Ext4>* xs, std::string_view what) {
    size_t count = 0;
    ASSAY_TRY(Count(&count, kExtBytes, what));
    xs->resize(count);
    for (Ext4& x : *xs) ASSAY_TRY(Ext(&x));
    return {};
  }
  Status Cap(Digest* root) {
    ASSAY_TRY(Constant(1, "a commitment that is not one root"));
    return DigestOf(root);
  }

  Status Sumcheck(SumcheckPart* part) {
    size_t count = 0;
    ASSAY_TRY(Count(&count, 2 * kExtBytes, "sum-check messages"));
    part->messages.resize(count);
    for (SumcheckPart::Message& message : part->messages) {
      ASSAY_TRY(Ext(&message.at_zero));
      ASSAY_TRY(Ext(&message.leading));
    }
    ASSAY_TRY(Count(&count, kElementBytes, "grinding witnesses"));
    part->witnesses.resize(count);
    for (BabyBear& witness : part->witnesses) ASSAY_TRY(Element(&witness));
    return {};
  }

  Status Rows(Opening* opening) {
    ASSAY_TRY(Flag(&opening->extension, "an unknown kind of opening"));
    const size_t item_elements = opening->extension ? 4 : 1;
    size_t rows = 0;
    ASSAY_TRY(Count(&rows, 1 + item_elements * kElementBytes, "rows"));
    for (size_t i = 0; i < rows; ++i) {
      const size_t start = bytes_.offset();
      size_t items = 0;
      ASSAY_TRY(Count(&items, item_elements * kElementBytes, "row elements"));
      const size_t elements = items * item_elements;
      if (i == 0) {
        // Above this no fold is, and a row's size stays a 32-bit number.
        if (!std::has_single_bit(items) || items > size_t{1} << kMaxFold) {
          return CorruptAt(start, "a row whose length no fold has");
        }
        opening->row_elements = static_cast<uint32_t>(elements);
        opening->rows.reserve(
            std::min(rows * elements, bytes_.remaining() / kElementBytes));
      } else if (elements != opening->row_elements) {
        return CorruptAt(start, "a row of another length");
      }
      for (size_t j = 0; j < elements; ++j) {
        BabyBear x;
        ASSAY_TRY(Element(&x));
        opening->rows.push_back(x);
      }
    }
    size_t digests = 0;
    ASSAY_TRY(Count(&digests, kDigestBytes, "digests"));
    opening->siblings.resize(digests);
    for (Digest& sibling : opening->siblings) ASSAY_TRY(DigestOf(&sibling));
    return {};
  }

  Status Round(RoundPart* round) {
    ASSAY_TRY(Constant(1, "a round without a commitment"));
    ASSAY_TRY(Cap(&round->commitment));
    ASSAY_TRY(Exts(&round->ood_answers, "out-of-domain answers"));
    ASSAY_TRY(Element(&round->pow_witness));
    ASSAY_TRY(Rows(&round->opening));
    return Sumcheck(&round->sumcheck);
  }

  Status Body(Proof* proof) {
    ASSAY_TRY(Cap(&proof->commitment));
    ASSAY_TRY(Exts(&proof->initial_ood_answers, "out-of-domain answers"));
    ASSAY_TRY(Sumcheck(&proof->initial_sumcheck));
    size_t count = 0;
    ASSAY_TRY(Count(&count, 2 + kDigestBytes, "rounds"));
    // A round in memory is larger than its fewest bytes: grown, not reserved.
    for (size_t i = 0; i < count; ++i) {
      ASSAY_TRY(Round(&proof->rounds.emplace_back()));
    }
    ASSAY_TRY(Constant(1, "no final polynomial"));
    ASSAY_TRY(Exts(&proof->final_poly, "final values"));
    ASSAY_TRY(Element(&proof->final_pow_witness));
    ASSAY_TRY(Rows(&proof->final_opening));
    ASSAY_TRY(Flag(&proof->has_final_sumcheck, "no optional sum-check"));
    if (proof->has_final_sumcheck) {
      ASSAY_TRY(Sumcheck(&proof->final_sumcheck));
    }
    ASSAY_TRY(Count(&count, 2 + kExtBytes, "claimed values"));
    proof->evals.resize(count);
    for (Ext4& value : proof->evals) {
      ASSAY_TRY(Constant(1, "a point without one claimed value"));
      ASSAY_TRY(Ext(&value));
      ASSAY_TRY(Constant(0, "a claim about a next row"));
    }
    if (bytes_.remaining() > 0) return Corrupt("bytes after the end");
    return {};
  }

  // A header word within its limits.
  template <class T>
  Status Word(T* value, std::string_view name, uint32_t least, uint32_t most) {
    const size_t offset = bytes_.offset();
    uint32_t word = 0;
    bytes_.U32(&word);
    if (word < least || word > most) {
      return Error{Code::kCorrupt,
                   fmt::format("{} is {} at byte {}, outside {} to {}", name,
                               word, offset, least, most),
                   ""};
    }
    *value = static_cast<T>(word);
    return {};
  }

  // Precondition: kHeaderBytes bytes.
  Status Header(ProofFile* file) {
    uint64_t magic = 0;
    uint64_t expected = 0;
    for (size_t i = kMagic.size(); i-- > 0;) {
      expected = expected << 8 | static_cast<uint8_t>(kMagic[i]);
    }
    bytes_.U64(&magic);
    if (magic != expected) {
      return Error{Code::kCorrupt, "the file does not start with WHIRBB08",
                   "is this a WHIR proof?"};
    }
    Parameters& p = file->parameters;
    ASSAY_TRY(Word(&p.n, "n", 1, kMaxVariables));
    ASSAY_TRY(Word(&p.fold, "fold", 1, kMaxFold));
    ASSAY_TRY(Word(&p.rate, "rate", 1, kMaxRate));
    ASSAY_TRY(Word(&p.soundness, "soundness", 0, 2));
    ASSAY_TRY(Word(&p.security, "security", 1, kMaxSecurity));
    ASSAY_TRY(Word(&p.pow, "pow", 0, kMaxPow));
    ASSAY_TRY(Word(&p.points, "points", 1, kMaxPoints));
    ASSAY_TRY(Word(&p.order, "order", 0, 1));
    ASSAY_TRY(Word(&p.mode, "mode", 0, 1));
    ASSAY_TRY(Word(&p.reduction, "reduction", 0, kMaxRate + kMaxFold - 1));
    bytes_.U64(&file->seed);
    const size_t start = bytes_.offset();
    uint64_t reserved = 0;
    bytes_.U64(&reserved);
    if (reserved != 0) return CorruptAt(start, "reserved bytes are set");
    return {};
  }

 private:
  Error CorruptAt(size_t offset, std::string_view what) const {
    return {Code::kCorrupt,
            fmt::format("{} at byte {}", what, skipped_ + offset), ""};
  }

  ByteReader bytes_;
  size_t skipped_ = 0;
};

void WriteHeader(Writer& writer, const ProofFile& file) {
  for (const char c : kMagic) writer.U8(static_cast<uint8_t>(c));
  const Parameters& p = file.parameters;
  for (const int word : {p.n, p.fold, p.rate, static_cast<int>(p.soundness),
                         p.security, p.pow, p.points, static_cast<int>(p.order),
                         static_cast<int>(p.mode), p.reduction}) {
    writer.U32(static_cast<uint32_t>(word));
  }
  writer.U64(file.seed);
  writer.U64(0);
}

}  // namespace

std::vector<std::byte> Encode(const ProofFile& file) {
  std::vector<std::byte> bytes;
  Writer writer(&bytes);
  WriteHeader(writer, file);
  const Proof& proof = file.proof;
  writer.Cap(proof.commitment);
  writer.Exts(proof.initial_ood_answers);
  writer.Sumcheck(proof.initial_sumcheck);
  writer.Varint(proof.rounds.size());
  for (const RoundPart& round : proof.rounds) {
    writer.Varint(1);
    writer.Cap(round.commitment);
    writer.Exts(round.ood_answers);
    writer.Element(round.pow_witness);
    writer.Rows(round.opening);
    writer.Sumcheck(round.sumcheck);
  }
  writer.Varint(1);
  writer.Exts(proof.final_poly);
  writer.Element(proof.final_pow_witness);
  writer.Rows(proof.final_opening);
  writer.Varint(proof.has_final_sumcheck ? 1 : 0);
  if (proof.has_final_sumcheck) writer.Sumcheck(proof.final_sumcheck);
  writer.Varint(proof.evals.size());
  for (const Ext4& value : proof.evals) {
    writer.Varint(1);
    writer.Ext(value);
    writer.Varint(0);
  }
  return bytes;
}

Result<ProofFile> DecodeHeader(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) {
    return Error{Code::kCorrupt,
                 fmt::format("{} bytes are no {}-byte header", bytes.size(),
                             kHeaderBytes),
                 ""};
  }
  ProofFile file;
  Reader reader(bytes.first(kHeaderBytes));
  ASSAY_TRY(reader.Header(&file));
  return file;
}

Result<ProofFile> Decode(std::span<const std::byte> bytes) {
  ASSAY_ASSIGN(file, DecodeHeader(bytes));
  Reader reader(bytes.subspan(kHeaderBytes));
  reader.Skip(kHeaderBytes);
  ASSAY_TRY(reader.Body(&file.proof));
  return std::move(file);
}

Status CheckCanonicalHeader(const ProofFile& file) {
  const Parameters& p = file.parameters;
  if (p.reduction == 0) return {};
  const bool rounds = p.n - p.fold > kMostFinalVariables;
  if (rounds && p.reduction != 1) return {};
  return Error{Code::kCorrupt,
               fmt::format("reduction is {} where the rates are the default "
                           "ones, whose reduction is 0",
                           p.reduction),
               "prove again with --reduction 0"};
}

}  // namespace assay::whir
