// The Poseidon2 permutation by four lanes a state, where few states are many.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/poseidon2/poseidon2.wgsl"

// Lane j of four holds vector j of a state. A permutation then takes a third
// of the time that one lane needs, and three quarters more work: for layers
// that leave a GPU idle. All lanes of a group call these functions together.
const kMostQuadLanes = 128u;

// Two places a lane, used in turns: one barrier an exchange.
var<workgroup> quad_vectors: array<vec4<u32>, 2u * kMostQuadLanes>;
var<workgroup> quad_words: array<u32, 2u * kMostQuadLanes>;

// The residues of the inner matrix's diagonal, vector by vector.
const kDiagonal = array<vec4<u32>, 4>(
    vec4<u32>(0x58000005u, 0x2ffffffau, 0x38000009u, 0x00000020u),
    vec4<u32>(0x0ffffffeu, 0x3ffffff8u, 0x01000000u, 0x77000001u),
    vec4<u32>(0x1ffffffcu, 0x70000002u, 0x40000000u, 0x68000001u),
    vec4<u32>(0x07ffffffu, 0x48000007u, 0x20000000u, 0x77ffffe1u),
);

// M4 makes vector j the sum of all, itself and twice the next one.
fn quad_external(v: vec4<u32>, lane: u32, turn: u32) -> vec4<u32> {
  let own = (turn & 1u) * kMostQuadLanes + lane;
  quad_vectors[own] = v;
  workgroupBarrier();
  let first = own - (lane & 3u);
  let next = quad_vectors[first + ((lane + 1u) & 3u)];
  let others = add4(quad_vectors[first + ((lane + 2u) & 3u)],
                    quad_vectors[first + ((lane + 3u) & 3u)]);
  let twice = add4(v, next);
  return add_column(add4(add4(twice, others), add4(v, add4(next, next))));
}

// The sum of a word of each of the four.
fn quad_sum(x: u32, lane: u32, turn: u32) -> u32 {
  let own = (turn & 1u) * kMostQuadLanes + lane;
  quad_words[own] = x;
  workgroupBarrier();
  let first = own - (lane & 3u);
  return add(add(quad_words[first], quad_words[first + 1u]),
             add(quad_words[first + 2u], quad_words[first + 3u]));
}

// Vector `lane` % 4 of the permuted state, given that of the state.
fn permute_quad(vector: vec4<u32>, lane: u32) -> vec4<u32> {
  let j = lane & 3u;
  // Somebody may still read what the permutation before left.
  workgroupBarrier();
  var v = quad_external(vector, lane, 0u);
  for (var r = 0u; r < 4u; r++) {
    v = quad_external(pow7(add4(v, kFullConstants[4u * r + j])), lane, r + 1u);
  }
  // Every lane follows cell 0, which alone goes through the S-box.
  quad_words[lane] = v.x;
  workgroupBarrier();
  var cell = quad_words[lane - j];
  for (var r = 0u; r < 13u; r++) {
    let sum = add(add(select(v.x, 0u, j == 0u), v.y), add(v.z, v.w));
    let rest = quad_sum(sum, lane, r + 1u);
    let x = add(cell, kPartialConstants[r]);
    let x2 = mul(x, x);
    let s0 = mul(mul(x2, x2), mul(x2, x));
    cell = sub(rest, s0);
    v = add4(mul4(v, kDiagonal[j]), vec4<u32>(add(rest, s0)));
  }
  v.x = select(v.x, cell, j == 0u);
  for (var r = 4u; r < 8u; r++) {
    v = quad_external(pow7(add4(v, kFullConstants[4u * r + j])), lane, r + 1u);
  }
  return v;
}
