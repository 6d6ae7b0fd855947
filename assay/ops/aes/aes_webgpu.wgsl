// AES in counter mode in WGSL: bit planes, eight blocks an invocation.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/aes/aes.wgsl"

struct Params {
  bytes_low: u32,
  bytes_high: u32,
  rounds: u32,
  pad: u32,
}

@group(0) @binding(0) var<storage, read> round_keys: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> counter: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> data: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

const kLanes = 128u;

fn extent() -> Extent {
  return extent_of(params.bytes_low, params.bytes_high);
}

// The counter's number, and the counter without it.
fn counter_number() -> u32 {
  return swap_bytes(counter[0]).w;
}
fn counter_rest() -> vec4<u32> {
  return vec4<u32>(counter[0].xyz, 0u);
}

fn make_key_planes(lane: u32) {
  for (var i = lane; i < 8u * (params.rounds + 1u); i += kLanes) {
    var key = round_keys[i / 8u];
    if (i < 8u) {
      key ^= counter_rest();
    }
    key_planes[i] = plane_of_block(key, i % 8u);
  }
  workgroupBarrier();
}

fn add_to_block(k: u32, stream: vec4<u32>) {
  let mask = bytes_of_block(extent(), k);
  for (var c = 0u; c < 4u; c++) {
    if (mask[c] != 0u) {
      data[4u * k + c] ^= stream[c] & mask[c];
    }
  }
}

// First pass: a group takes 1024 blocks at a time, lane l those at l, l + 128,
// ... Reads and writes each block once.
@compute @workgroup_size(128)
fn aes_ctr(@builtin(local_invocation_index) lane: u32,
           @builtin(workgroup_id) group: vec3<u32>,
           @builtin(num_workgroups) groups: vec3<u32>) {
  make_key_planes(lane);
  let number = counter_number();
  let blocks = extent().all;
  for (var first = 8u * kLanes * group.x; first < blocks;
       first += 8u * kLanes * groups.x) {
    var stream = key_stream(number + first + lane, kLanes, params.rounds);
    for (var k = 0u; k < 8u; k++) {
      add_to_block(first + k * kLanes + lane, stream[k]);
    }
  }
  wipe_key_planes(lane);
}

// Second pass, one invocation: the counter after the blocks used.
@compute @workgroup_size(1)
fn aes_advance() {
  let next = vec4<u32>(0u, 0u, 0u, counter_number() + extent().all);
  counter[0].w = swap_bytes(next).w;
}
