// AES-GCM's pass over data in WGSL: bit planes and GHASH fused.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/aes/aes.wgsl"
//#include "assay/ops/ghash/ghash.wgsl"

struct Params {
  bytes_low: u32,
  bytes_high: u32,
  rounds: u32,
  decrypt: u32,
}

// Fifteen round keys and the hash key.
@group(0) @binding(0) var<storage, read> keys: array<vec4<u32>, 16>;
// The counter and the hash, a block each.
@group(0) @binding(1) var<storage, read_write> state: array<atomic<u32>, 8>;
@group(0) @binding(2) var<storage, read> input: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

fn extent() -> Extent {
  return extent_of(params.bytes_low, params.bytes_high);
}

fn load_state(first: u32) -> vec4<u32> {
  return vec4<u32>(
      atomicLoad(&state[first]), atomicLoad(&state[first + 1u]),
      atomicLoad(&state[first + 2u]), atomicLoad(&state[first + 3u]));
}

// First pass, one group: the counter and the hash are brought forward over all
// blocks. What the blocks themselves hash to is then added.
@compute @workgroup_size(128)
fn seal_begin(@builtin(local_invocation_index) lane: u32) {
  make_hash_powers(keys[15], lane);
  let power = hash_power(extent().all, lane);
  if (lane == 0u) {
    let number = swap_bytes(load_state(0u)).w + extent().all;
    atomicStore(&state[3], swap_bytes(vec4<u32>(number)).w);
    let y = reflected(
        mul_reflected(reflected(load_state(4u)), key_of(power)));
    atomicStore(&state[4], y.x);
    atomicStore(&state[5], y.y);
    atomicStore(&state[6], y.z);
    atomicStore(&state[7], y.w);
  }
  wipe_hash(lane);
}

fn make_key_planes(lane: u32) {
  let counter = vec4<u32>(load_state(0u).xyz, 0u);
  for (var i = lane; i < 8u * (params.rounds + 1u); i += kLanes) {
    var key = keys[i / 8u];
    if (i < 8u) {
      key ^= counter;
    }
    key_planes[i] = plane_of_block(key, i % 8u);
  }
  workgroupBarrier();
}

// Adds the key stream to block k. Returns what is to be hashed: zeros fill up
// the last block.
fn crypt_block(k: u32, stream: vec4<u32>) -> vec4<u32> {
  let mask = bytes_of_block(extent(), k);
  var before = vec4<u32>(0u);
  var after = vec4<u32>(0u);
  for (var c = 0u; c < 4u; c++) {
    let bytes = mask[c];
    if (bytes == 0u) {
      continue;
    }
    let at = 4u * k + c;
    before[c] = input[at] & bytes;
    after[c] = before[c] ^ (stream[c] & bytes);
    if (bytes == 0xffffffffu) {
      output[at] = after[c];
    } else {
      output[at] = (output[at] & ~bytes) | after[c];
    }
  }
  return select(after, before, params.decrypt != 0u);
}

// Second pass: a group has tiles of eight rows, as many as the others; a lane
// makes a tile's key stream for its column and hashes it row by row. Reads
// and writes each block once.
@compute @workgroup_size(128)
fn seal_gcm(@builtin(local_invocation_index) lane: u32,
            @builtin(workgroup_id) group: vec3<u32>,
            @builtin(num_workgroups) groups: vec3<u32>) {
  let blocks = extent().all;
  let tiles = (blocks + 8u * kLanes - 1u) / (8u * kLanes);
  let pad = tiles * 8u * kLanes - blocks;
  let tiles_each = (tiles + groups.x - 1u) / groups.x;
  let first = min(group.x * tiles_each, tiles);
  let end = min(first + tiles_each, tiles);
  make_key_planes(lane);
  make_hash_powers(keys[15], lane);
  let step = hash_step();
  // The first pass took the counter beyond the last block; what is before the
  // first one is padding, and its key stream not used.
  let number = swap_bytes(load_state(0u)).w - blocks;
  var y = vec4<u32>(0u);
  for (var tile = first; tile < end; tile++) {
    let row = tile * 8u * kLanes + lane;
    var stream = key_stream(number + row - pad, kLanes, params.rounds);
    for (var k = 0u; k < 8u; k++) {
      let at = row + k * kLanes;
      y = mul_reflected(y, step);
      if (at >= pad) {
        y ^= reflected(crypt_block(at - pad, stream[k]));
      }
    }
  }
  let sum = join_hash(y, (tiles - end) * 8u * kLanes, lane);
  if (lane == 0u) {
    atomicXor(&state[4], sum.x);
    atomicXor(&state[5], sum.y);
    atomicXor(&state[6], sum.z);
    atomicXor(&state[7], sum.w);
  }
  wipe_hash(lane);
  wipe_key_planes(lane);
}
