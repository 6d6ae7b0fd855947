// Overwrites bytes with zeros in WGSL.
// SPDX-License-Identifier: Apache-2.0

struct Params {
  bytes_low: u32,
  bytes_high: u32,
  pad0: u32,
  pad1: u32,
}

@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

const kLanes = 256u;

// A word an invocation at a time; the last one may keep some of its bytes.
@compute @workgroup_size(kLanes)
fn zero_bytes(@builtin(global_invocation_id) id: vec3<u32>,
              @builtin(num_workgroups) groups: vec3<u32>) {
  let words = (params.bytes_high << 30u) | (params.bytes_low >> 2u);
  for (var i = id.x; i < words; i += kLanes * groups.x) {
    data[i] = 0u;
  }
  let rest = params.bytes_low & 3u;
  if (id.x == 0u && rest != 0u) {
    data[words] &= 0xffffffffu << (8u * rest);
  }
}
