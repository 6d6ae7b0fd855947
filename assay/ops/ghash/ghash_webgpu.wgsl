// GHASH in WGSL: a column of blocks a lane, groups added up by XOR.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/ghash/ghash.wgsl"

struct Params {
  bytes_low: u32,
  bytes_high: u32,
  pad0: u32,
  pad1: u32,
}

@group(0) @binding(0) var<storage, read> hash_key: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> data: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<atomic<u32>, 4>;
@group(0) @binding(3) var<uniform> params: Params;

fn extent() -> Extent {
  return extent_of(params.bytes_low, params.bytes_high);
}

// Zeros fill up the last block: words that it does not have are not read.
fn load_block(k: u32) -> vec4<u32> {
  let mask = bytes_of_block(extent(), k);
  var block = vec4<u32>(0u);
  for (var c = 0u; c < 4u; c++) {
    if (mask[c] != 0u) {
      block[c] = data[4u * k + c] & mask[c];
    }
  }
  return block;
}

// First pass, one group: the state is brought forward over all blocks. What
// the blocks themselves hash to is then added to it.
@compute @workgroup_size(128)
fn ghash_begin(@builtin(local_invocation_index) lane: u32) {
  make_hash_powers(hash_key[0], lane);
  let power = hash_power(extent().all, lane);
  if (lane == 0u) {
    var y = vec4<u32>(atomicLoad(&state[0]), atomicLoad(&state[1]),
                      atomicLoad(&state[2]), atomicLoad(&state[3]));
    y = reflected(mul_reflected(reflected(y), key_of(power)));
    atomicStore(&state[0], y.x);
    atomicStore(&state[1], y.y);
    atomicStore(&state[2], y.z);
    atomicStore(&state[3], y.w);
  }
  wipe_hash(lane);
}

// Second pass: a group has rows of its own, as many as the others. Reads each
// block once; a product a block, and some twelve a lane.
@compute @workgroup_size(128)
fn ghash_hash(@builtin(local_invocation_index) lane: u32,
              @builtin(workgroup_id) group: vec3<u32>,
              @builtin(num_workgroups) groups: vec3<u32>) {
  let blocks = extent().all;
  let rows = (blocks + kLanes - 1u) / kLanes;
  let pad = rows * kLanes - blocks;
  let rows_each = (rows + groups.x - 1u) / groups.x;
  let first = min(group.x * rows_each, rows);
  let end = min(first + rows_each, rows);
  make_hash_powers(hash_key[0], lane);
  let step = hash_step();
  var y = vec4<u32>(0u);
  for (var row = first; row < end; row++) {
    y = mul_reflected(y, step);
    let at = row * kLanes + lane;
    if (at >= pad) {
      y ^= reflected(load_block(at - pad));
    }
  }
  let sum = join_hash(y, (rows - end) * kLanes, lane);
  if (lane == 0u) {
    atomicXor(&state[0], sum.x);
    atomicXor(&state[1], sum.y);
    atomicXor(&state[2], sum.z);
    atomicXor(&state[3], sum.w);
  }
  wipe_hash(lane);
}
