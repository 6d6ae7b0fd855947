// Sum of blocks in WGSL: a group's lanes read neighbours, groups add by XOR.
// SPDX-License-Identifier: Apache-2.0

struct Params {
  blocks_low: u32,
  blocks_high: u32,
  pad0: u32,
  pad1: u32,
}

@group(0) @binding(0) var<storage, read> data: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> sum: array<atomic<u32>, 4>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> part: array<atomic<u32>, 4>;

// No binding holds 2^32 blocks, so the low word counts them.
@compute @workgroup_size(256)
fn xor_sum_blocks(@builtin(local_invocation_index) lane: u32,
                  @builtin(workgroup_id) group: vec3<u32>,
                  @builtin(num_workgroups) groups: vec3<u32>) {
  if (lane < 4u) {
    atomicStore(&part[lane], 0u);
  }
  workgroupBarrier();
  let lanes = groups.x * 256u;
  var mine = vec4<u32>(0u);
  for (var i = group.x * 256u + lane; i < params.blocks_low; i += lanes) {
    mine ^= data[i];
  }
  atomicXor(&part[0], mine.x);
  atomicXor(&part[1], mine.y);
  atomicXor(&part[2], mine.z);
  atomicXor(&part[3], mine.w);
  workgroupBarrier();
  if (lane < 4u) {
    atomicXor(&sum[lane], atomicLoad(&part[lane]));
  }
}
