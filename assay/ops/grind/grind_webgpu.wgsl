// Search of the smallest proof-of-work witness in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/poseidon2/poseidon2.wgsl"

struct Params {
  position: u32,
  bits: u32,
  start: u32,
  count: u32,
}

@group(0) @binding(0) var<storage, read> cells: array<u32>;
@group(0) @binding(1) var<storage, read_write> best: atomic<u32>;
@group(0) @binding(2) var<uniform> params: Params;

const kLanes = 128u;
const kNone = 0xffffffffu;

@compute @workgroup_size(1)
fn grind_clear() {
  atomicStore(&best, kNone);
}

fn load_cells(first: u32, candidate: u32) -> vec4<u32> {
  let places = vec4<u32>(first, first + 4u, first + 8u, first + 12u);
  let v = vec4<u32>(cells[places.x], cells[places.y], cells[places.z],
                    cells[places.w]);
  return select(v, vec4<u32>(candidate),
                places == vec4<u32>(params.position));
}

// The whole grid walks the candidates in ascending order, and an invocation
// ends when a smaller hit than its next candidate is known: every candidate
// below the smallest hit is tried.
@compute @workgroup_size(kLanes)
fn grind_search(@builtin(global_invocation_id) id: vec3<u32>,
                @builtin(num_workgroups) groups: vec3<u32>) {
  let low_bits = (1u << params.bits) - 1u;
  for (var i = id.x; i < params.count; i += kLanes * groups.x) {
    let w = params.start + i;
    if (atomicLoad(&best) < w) {
      return;
    }
    let candidate = from_canonical(w);
    let s = permute(State(load_cells(0u, candidate), load_cells(1u, candidate),
                          load_cells(2u, candidate),
                          load_cells(3u, candidate)));
    // Cell 7.
    if ((canonical(s.d.y) & low_bits) == 0u) {
      atomicMin(&best, w);
    }
  }
}
