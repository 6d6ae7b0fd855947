// Permutations of many states in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/poseidon2/poseidon2.wgsl"

struct Params {
  count: u32,
  pad0: u32,
  pad1: u32,
  pad2: u32,
}

@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

const kLanes = 128u;

fn load_cells(first: u32, stride: u32) -> vec4<u32> {
  return vec4<u32>(cells[first], cells[first + 4u * stride],
                   cells[first + 8u * stride], cells[first + 12u * stride]);
}

fn store_cells(v: vec4<u32>, first: u32, stride: u32) {
  cells[first] = v.x;
  cells[first + 4u * stride] = v.y;
  cells[first + 8u * stride] = v.z;
  cells[first + 12u * stride] = v.w;
}

// An invocation takes a state; neighbours lie beside each other.
@compute @workgroup_size(kLanes)
fn poseidon2_permute(@builtin(global_invocation_id) id: vec3<u32>,
                     @builtin(num_workgroups) groups: vec3<u32>) {
  let count = params.count;
  for (var i = id.x; i < count; i += kLanes * groups.x) {
    let s = permute(State(load_cells(i, count), load_cells(i + count, count),
                          load_cells(i + 2u * count, count),
                          load_cells(i + 3u * count, count)));
    store_cells(s.a, i, count);
    store_cells(s.b, i + count, count);
    store_cells(s.c, i + 2u * count, count);
    store_cells(s.d, i + 3u * count, count);
  }
}
