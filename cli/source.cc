// Reads a polynomial from a seed, a file of values or a file of bytes.
// SPDX-License-Identifier: Apache-2.0
#include "cli/source.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <span>
#include <system_error>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/whir/instance.h"
#include "assay/whir/proof.h"

namespace assay::cli {
namespace {

constexpr uint64_t kPackedBytes = 3;
constexpr std::string_view kPacking =
    "three bytes an element, little-endian, zero-padded to a power of two";

Error Invalid(std::string what, std::string hint = "") {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

Result<uint64_t> FileBytes(const std::string& path) {
  std::error_code failure;
  const std::filesystem::file_status status =
      std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Error{Code::kIo, fmt::format("cannot open {}: no such file", path),
                 ""};
  }
  if (failure) {
    return Error{Code::kIo,
                 fmt::format("cannot open {}: {}", path, failure.message()),
                 ""};
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return Invalid(fmt::format("{} is not a regular file", path),
                   "write the bytes to a file first: its size says how large "
                   "the proof is");
  }
  const uint64_t bytes = std::filesystem::file_size(path, failure);
  if (failure) {
    return Error{Code::kIo,
                 fmt::format("cannot read {}: {}", path, failure.message()),
                 ""};
  }
  return bytes;
}

Result<Source> FromSeed(const SourceFlags& flags) {
  Source source;
  const Result<uint64_t> seed = ParseUnsigned(flags.seed);
  if (!seed.ok()) {
    return Invalid(fmt::format("seed is \"{}\"", flags.seed),
                   "--seed takes a whole number below 2^64");
  }
  if (flags.n == 0) {
    return Invalid("--seed needs the number of variables",
                   "add --n N: the polynomial then has 2^N values");
  }
  source.seed = *seed;
  source.n = flags.n;
  return source;
}

Result<Source> FromEvals(const SourceFlags& flags) {
  Source source{.kind = Source::Kind::kEvals, .path = flags.evals};
  ASSAY_ASSIGN(bytes, FileBytes(flags.evals));
  source.file_bytes = bytes;
  const uint64_t count = bytes / 4;
  if (bytes % 4 != 0 || !std::has_single_bit(count) || count < 2) {
    return Invalid(
        fmt::format("{} has {} bytes; that is no power of two of values",
                    flags.evals, bytes),
        "--evals takes 2, 4, 8, ... values of four bytes; --input takes any "
        "file");
  }
  source.n = std::bit_width(count) - 1;
  return source;
}

Result<Source> FromInput(const SourceFlags& flags) {
  Source source{.kind = Source::Kind::kInput, .path = flags.input};
  ASSAY_ASSIGN(bytes, FileBytes(flags.input));
  source.file_bytes = bytes;
  if (bytes == 0) {
    return Invalid(fmt::format("{} is empty", flags.input),
                   "--input takes a file of at least one byte");
  }
  const uint64_t count = (bytes - 1) / kPackedBytes + 1;
  source.n = std::max(1, static_cast<int>(std::bit_width(count - 1)));
  return source;
}

}  // namespace

Result<Source> FindSource(const SourceFlags& flags) {
  const int given = static_cast<int>(!flags.seed.empty()) +
                    static_cast<int>(!flags.evals.empty()) +
                    static_cast<int>(!flags.input.empty());
  if (given != 1) {
    return Invalid(
        given == 0 ? "no polynomial was named"
                   : "more than one of --seed, --evals and --input was given",
        "give exactly one of --seed S --n N, --evals FILE, --input FILE");
  }
  Result<Source> source = !flags.seed.empty()    ? FromSeed(flags)
                          : !flags.evals.empty() ? FromEvals(flags)
                                                 : FromInput(flags);
  if (!source.ok()) return source;
  if (flags.n != 0 && source->n != flags.n) {
    return Invalid(fmt::format("--n is {}, but {} makes n={}", flags.n,
                               source->path, source->n),
                   "leave --n away: the file's size decides");
  }
  if (source->n > whir::kMaxVariables) {
    return Invalid(
        fmt::format("{} makes n={}; a proof has at most {} "
                    "variables",
                    source->path, source->n, whir::kMaxVariables));
  }
  return source;
}

std::vector<BabyBear> PackBytes(std::span<const std::byte> bytes, int n) {
  std::vector<BabyBear> values(size_t{1} << n);
  for (size_t begin = 0; begin < bytes.size(); begin += kPackedBytes) {
    uint32_t element = 0;
    for (size_t i = 0; i < kPackedBytes && begin + i < bytes.size(); ++i) {
      element |= std::to_integer<uint32_t>(bytes[begin + i]) << (8 * i);
    }
    values[begin / kPackedBytes] = BabyBear::From(element);
  }
  return values;
}

Result<std::vector<BabyBear>> LoadSource(const Source& source) {
  if (source.kind == Source::Kind::kSeed) {
    return whir::SeedEvals(source.seed, source.n);
  }
  ASSAY_ASSIGN(bytes, ReadFile(source.path, source.file_bytes));
  if (bytes.size() != source.file_bytes) {
    return Error{Code::kIo,
                 fmt::format("{} changed while it was read", source.path), ""};
  }
  if (source.kind == Source::Kind::kInput) return PackBytes(bytes, source.n);

  std::vector<BabyBear> values(size_t{1} << source.n);
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t x = 0;
    for (size_t b = 0; b < 4; ++b) {
      x |= std::to_integer<uint32_t>(bytes[4 * i + b]) << (8 * b);
    }
    if (x >= BabyBear::kPrime) {
      return Invalid(fmt::format("value {} of {} is {}; values are below "
                                 "p = {}",
                                 i, source.path, x, BabyBear::kPrime),
                     "reduce the values mod p, or pass the bytes with "
                     "--input");
    }
    values[i] = BabyBear::From(x);
  }
  return values;
}

Json SourceJson(const Source& source) {
  switch (source.kind) {
    case Source::Kind::kSeed:
      return {{"kind", "seed"}, {"seed", std::to_string(source.seed)}};
    case Source::Kind::kEvals:
      return {{"kind", "evals"},
              {"file", source.path},
              {"bytes", source.file_bytes},
              {"packing", "u32 below p, little-endian"}};
    case Source::Kind::kInput:
      return {{"kind", "input"},
              {"file", source.path},
              {"bytes", source.file_bytes},
              {"packing", kPacking}};
  }
  return {};
}

std::string SourceWords(const Source& source) {
  switch (source.kind) {
    case Source::Kind::kSeed:
      return fmt::format("the instance of seed {}", source.seed);
    case Source::Kind::kEvals:
      return fmt::format("{}, {} values", source.path, source.file_bytes / 4);
    case Source::Kind::kInput:
      return fmt::format("{}, {} bytes, three to an element", source.path,
                         source.file_bytes);
  }
  return "";
}

}  // namespace assay::cli
