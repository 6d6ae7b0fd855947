// Twiddles and the encoding of columns in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/ntt/ntt.wgsl"

struct TwiddlesParams {
  log_size: u32,
  pad0: u32,
  pad1: u32,
  pad2: u32,
}

@group(0) @binding(0) var<storage, read_write> table: array<u32>;
@group(0) @binding(1) var<uniform> twiddles_params: TwiddlesParams;

// The generators of order 2^0 to 2^27.
const kRoots = array<u32, 28>(
    0x0ffffffeu, 0x68000003u, 0x1c38d511u, 0x3d85298fu, 0x5f06e481u,
    0x3f5c39ecu, 0x5516a97au, 0x3d6be592u, 0x5bb04149u, 0x4907f9abu,
    0x548b8e90u, 0x1d8ca617u, 0x2ce7f0e6u, 0x621b371fu, 0x6d4d2d78u,
    0x18716fcdu, 0x3b30a682u, 0x1c6f4728u, 0x59b01f7cu, 0x1a7f97acu,
    0x0732561cu, 0x2b5a1cd4u, 0x6f7d26f9u, 0x16e2f919u, 0x285ab85bu,
    0x0dd5a9ecu, 0x43f13568u, 0x57fab6eeu,
);

// Entry 2^k + j is the generator of order 2^(k+1) to the power of j: one
// product for each bit of j that is set.
@compute @workgroup_size(kLanes)
fn ntt_twiddles(@builtin(global_invocation_id) id: vec3<u32>,
                @builtin(num_workgroups) groups: vec3<u32>) {
  let size = 1u << twiddles_params.log_size;
  for (var i = id.x; i < size; i += kLanes * groups.x) {
    var power = kOneResidue;
    var order = firstLeadingBit(max(i, 1u)) + 1u;
    for (var j = i - (1u << (order - 1u)); j != 0u && i != 0u; j >>= 1u) {
      if ((j & 1u) != 0u) {
        power = mul(power, kRoots[order]);
      }
      order -= 1u;
    }
    table[i] = power;
  }
}

// The stages go in passes of up to twelve, as ntt_kernels.h counts them.
@compute @workgroup_size(kLanes)
fn ntt_encode(@builtin(local_invocation_index) lane: u32,
              @builtin(workgroup_id) group: vec3<u32>) {
  let bits = pass_bits(0u);
  run_pass(Pass(0u, bits, min(kLogTile, params.log_rows) - bits), lane, group);
}

@compute @workgroup_size(kLanes)
fn ntt_encode_second(@builtin(local_invocation_index) lane: u32,
                     @builtin(workgroup_id) group: vec3<u32>) {
  let bits = pass_bits(1u);
  run_pass(Pass(pass_bits(0u), bits, kLogTile - bits), lane, group);
}

@compute @workgroup_size(kLanes)
fn ntt_encode_third(@builtin(local_invocation_index) lane: u32,
                    @builtin(workgroup_id) group: vec3<u32>) {
  let bits = pass_bits(2u);
  run_pass(Pass(pass_bits(0u) + pass_bits(1u), bits, kLogTile - bits), lane,
           group);
}

// Codewords of fewer than sixteen entries, an entry an invocation, by Horner's
// rule.
@compute @workgroup_size(kLanes)
fn ntt_encode_short(@builtin(global_invocation_id) id: vec3<u32>,
                    @builtin(num_workgroups) groups: vec3<u32>) {
  let words = params.columns << params.log_rows;
  for (var k = id.x; k < words; k += kLanes * groups.x) {
    let row = k & ((1u << params.log_rows) - 1u);
    let first = message_of(k >> params.log_rows);
    // The generator to the power of the row, by the upper half of the table
    // and its negatives.
    let half = (1u << params.log_rows) / 2u;
    var x = kOneResidue;
    if (half != 0u) {
      x = twiddles[half + (row & (half - 1u))];
      x = select(x, sub(0u, x), row >= half);
    }
    var value = 0u;
    for (var j = 1u << params.log_message; j > 0u; j -= 1u) {
      let place = select(j - 1u, reverse(j - 1u, params.log_message),
                         params.reversed != 0u);
      value = add(mul(value, x), message[first + place]);
    }
    codeword[k] = value;
  }
}
