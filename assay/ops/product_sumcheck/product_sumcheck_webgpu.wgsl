// Rounds of the sum-check of a product in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/product_sumcheck/product_sumcheck.wgsl"

// Each kernel first clears the sums that it makes, in a pass of its own, and
// then adds those of its groups by XOR. Views end below 4 GiB: the upper half
// of a stride is zero.
struct Table {
  factors: u32,
  log_size: u32,
  stride: u32,
  stride_high: u32,
}
struct FoldParams {
  table: Table,
  r: vec4<u32>,
}
struct FoldGridParams {
  table: Table,
  r: vec4<u32>,
  s: vec4<u32>,
}

@group(0) @binding(0) var<storage, read> columns: array<vec4<u32>>;
@group(0) @binding(0) var<storage, read_write> folded: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> out: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> table: Table;
@group(0) @binding(2) var<uniform> fold: FoldParams;
@group(0) @binding(2) var<uniform> fold_grid: FoldGridParams;

fn clear(first: u32, count: u32, lane: u32) {
  if (lane >= 4u * first && lane < 4u * count) {
    atomicStore(&out[lane], 0u);
  }
}

// Adds the group's sums, reduced, to those of the others.
fn add_to_sums(first: u32, count: u32, lane: u32) {
  for (var k = first; k < count; k++) {
    let sum = sum_of_lanes(k, lane);
    if (lane == 0u) {
      atomicXor(&out[4u * k], sum.x);
      atomicXor(&out[4u * k + 1u], sum.y);
      atomicXor(&out[4u * k + 2u], sum.z);
      atomicXor(&out[4u * k + 3u], sum.w);
    }
  }
}

@compute @workgroup_size(64)
fn product_sumcheck_round_clear(@builtin(local_invocation_index) lane: u32) {
  clear(0u, table.factors + 1u, lane);
}

// An invocation takes positions; reads each entry once.
@compute @workgroup_size(64)
fn product_sumcheck_round(@builtin(global_invocation_id) id: vec3<u32>,
                          @builtin(local_invocation_index) lane: u32,
                          @builtin(num_workgroups) groups: vec3<u32>) {
  let half = 1u << (table.log_size - 1u);
  for (var i = id.x; i < half; i += kLanes * groups.x) {
    for (var j = 0u; j < table.factors; j++) {
      let at = j * table.stride + i;
      entries[2u * j] = columns[at];
      entries[2u * j + 1u] = columns[at + half];
    }
    add_nodes(table.factors, 0u);
  }
  add_to_sums(0u, table.factors + 1u, lane);
}

@compute @workgroup_size(64)
fn product_sumcheck_fold_clear(@builtin(local_invocation_index) lane: u32) {
  clear(1u, fold.table.factors + 1u, lane);
}

// The entry at `at`, bound to r with the one `distance` later.
fn bind_one(at: u32, distance: u32) -> vec4<u32> {
  let lo = folded[at];
  let bound = lo ^ mul(lo ^ folded[at + distance], fold.r);
  folded[at] = bound;
  return bound;
}

// An invocation reads the four entries that its two new ones come from, so
// that columns fold in place.
@compute @workgroup_size(64)
fn product_sumcheck_fold(@builtin(global_invocation_id) id: vec3<u32>,
                         @builtin(local_invocation_index) lane: u32,
                         @builtin(num_workgroups) groups: vec3<u32>) {
  let factors = fold.table.factors;
  let stride = fold.table.stride;
  let quarter = (1u << fold.table.log_size) / 4u;
  for (var i = id.x; i < quarter; i += kLanes * groups.x) {
    for (var k = 0u; k < 2u * factors; k++) {
      entries[k] = bind_one((k / 2u) * stride + (k % 2u) * quarter + i,
                            2u * quarter);
    }
    add_nodes(factors, 1u);
  }
  add_to_sums(1u, factors + 1u, lane);
}

// The last round leaves one entry a column and nothing to measure.
@compute @workgroup_size(64)
fn product_sumcheck_fold_last(@builtin(local_invocation_index) lane: u32) {
  if (lane < fold.table.factors) {
    _ = bind_one(lane * fold.table.stride, 1u);
  }
}

@compute @workgroup_size(64)
fn product_sumcheck_grid_clear(@builtin(local_invocation_index) lane: u32) {
  let nodes = table.factors + 1u;
  clear(0u, nodes * nodes, lane);
}

@compute @workgroup_size(64)
fn product_sumcheck_grid(@builtin(global_invocation_id) id: vec3<u32>,
                         @builtin(local_invocation_index) lane: u32,
                         @builtin(num_workgroups) groups: vec3<u32>) {
  let nodes = table.factors + 1u;
  let quarter = 1u << (table.log_size - 2u);
  for (var i = id.x; i < quarter; i += kLanes * groups.x) {
    for (var k = 0u; k < 4u * table.factors; k++) {
      entries[k] = columns[(k / 4u) * table.stride + (k % 4u) * quarter + i];
    }
    add_grid(table.factors, 0u);
  }
  add_to_sums(0u, nodes * nodes, lane);
}

@compute @workgroup_size(64)
fn product_sumcheck_fold_grid_clear(
    @builtin(local_invocation_index) lane: u32) {
  let nodes = fold_grid.table.factors + 1u;
  clear(1u, nodes * nodes, lane);
}

// The entry at `at`, bound to r and s with those one to three quarters later:
// three products, reduced once (docs/engines/binary.md, section 2.5).
fn bind_two(at: u32, quarter: u32, rs: vec4<u32>) -> vec4<u32> {
  let v00 = folded[at];
  let upper = v00 ^ folded[at + 2u * quarter];
  let lower = v00 ^ folded[at + quarter];
  let both = lower ^ folded[at + 2u * quarter] ^ folded[at + 3u * quarter];
  var operands = array<vec4<u32>, 6>(upper, fold_grid.r, lower, fold_grid.s,
                                     both, rs);
  var sum = Wide(v00, vec4<u32>(0u));
  for (var k = 0u; k < 6u; k += 2u) {
    sum = wide_add(sum, mul_wide(operands[k], operands[k + 1u]));
  }
  let bound = reduce(sum);
  folded[at] = bound;
  return bound;
}

@compute @workgroup_size(64)
fn product_sumcheck_fold_grid(@builtin(global_invocation_id) id: vec3<u32>,
                              @builtin(local_invocation_index) lane: u32,
                              @builtin(num_workgroups) groups: vec3<u32>) {
  let factors = fold_grid.table.factors;
  let nodes = factors + 1u;
  let quarter = (1u << fold_grid.table.log_size) / 4u;
  let next = quarter / 4u;
  let rs = mul(fold_grid.r, fold_grid.s);
  for (var i = id.x; i < next; i += kLanes * groups.x) {
    for (var k = 0u; k < 4u * factors; k++) {
      entries[k] = bind_two(
          (k / 4u) * fold_grid.table.stride + (k % 4u) * next + i, quarter,
          rs);
    }
    add_grid(factors, 1u);
  }
  add_to_sums(1u, nodes * nodes, lane);
}

// One or two entries a column are left.
@compute @workgroup_size(64)
fn product_sumcheck_fold_grid_last(
    @builtin(local_invocation_index) lane: u32) {
  let quarter = (1u << fold_grid.table.log_size) / 4u;
  let rs = mul(fold_grid.r, fold_grid.s);
  if (lane < quarter * fold_grid.table.factors) {
    let at = (lane / quarter) * fold_grid.table.stride + lane % quarter;
    _ = bind_two(at, quarter, rs);
  }
}
