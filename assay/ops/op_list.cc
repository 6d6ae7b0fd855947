// The list of operations: one line each.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/op_list.h"

#include <array>

namespace assay {

std::vector<OpCase> AesCases(CaseSize size);
std::vector<OpCase> CrcCases(CaseSize size);
std::vector<OpCase> FoldCases(CaseSize size);
std::vector<OpCase> GhashCases(CaseSize size);
std::vector<OpCase> GrindCases(CaseSize size);
std::vector<OpCase> MerkleCases(CaseSize size);
std::vector<OpCase> NttCases(CaseSize size);
std::vector<OpCase> Poseidon2Cases(CaseSize size);
std::vector<OpCase> ProductRoundsCases(CaseSize size);
std::vector<OpCase> ProductSumcheckCases(CaseSize size);
std::vector<OpCase> ReedSolomonCases(CaseSize size);
std::vector<OpCase> SealCases(CaseSize size);
std::vector<OpCase> SumcheckCases(CaseSize size);
std::vector<OpCase> XorSumCases(CaseSize size);
std::vector<OpCase> ZeroCases(CaseSize size);

std::span<const Op> OpList() {
  static constexpr std::array kOps = {
      Op{"ntt", NttCases},
      Op{"poseidon2", Poseidon2Cases},
      Op{"merkle", MerkleCases},
      Op{"sumcheck", SumcheckCases},
      Op{"fold", FoldCases},
      Op{"grind", GrindCases},
      Op{"crc", CrcCases},
      Op{"reed_solomon", ReedSolomonCases},
      Op{"ghash", GhashCases},
      Op{"aes", AesCases},
      Op{"seal", SealCases},
      Op{"product_sumcheck", ProductSumcheckCases},
      Op{"product_rounds", ProductRoundsCases},
      Op{"xor_sum", XorSumCases},
      Op{"zero", ZeroCases},
  };
  return kOps;
}

const Op* FindOp(std::string_view name) {
  for (const Op& op : OpList()) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

}  // namespace assay
