// Leaf digests, layers of trees and openings in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/ops/poseidon2/poseidon2_quad.wgsl"

struct LeavesParams {
  log_rows: u32,
  columns: u32,
  pad0: u32,
  pad1: u32,
}
struct TreeParams {
  log_leaves: u32,
  pad0: u32,
  pad1: u32,
  pad2: u32,
}
struct RowsParams {
  log_rows: u32,
  columns: u32,
  count: u32,
  pad: u32,
}
struct NodesParams {
  log_leaves: u32,
  count: u32,
  pad0: u32,
  pad1: u32,
}

@group(0) @binding(0) var<storage, read> matrix: array<u32>;
@group(0) @binding(1) var<storage, read_write> digests: array<u32>;
@group(0) @binding(2) var<uniform> leaves_params: LeavesParams;

@group(0) @binding(0) var<storage, read_write> tree: array<u32>;
@group(0) @binding(1) var<uniform> tree_params: TreeParams;

@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read_write> opened: array<u32>;
@group(0) @binding(3) var<uniform> rows_params: RowsParams;
@group(0) @binding(3) var<uniform> nodes_params: NodesParams;

const kLanes = 128u;
const kQuadLanes = 32u;  // eight states
const kTopLanes = 128u;

// An invocation takes a row. A short last block leaves the other rate cells
// as they were.
@compute @workgroup_size(kLanes)
fn merkle_leaves(@builtin(global_invocation_id) id: vec3<u32>,
                 @builtin(num_workgroups) groups: vec3<u32>) {
  let rows = 1u << leaves_params.log_rows;
  let columns = leaves_params.columns;
  for (var i = id.x; i < rows; i += kLanes * groups.x) {
    var s = State();
    for (var c = 0u; c < columns; c += 8u) {
      let at = c * rows + i;
      let cells = columns - c;
      s.a.x = matrix[at];
      if (cells >= 8u) {
        s.b.x = matrix[at + rows];
        s.c.x = matrix[at + 2u * rows];
        s.d.x = matrix[at + 3u * rows];
        s.a.y = matrix[at + 4u * rows];
        s.b.y = matrix[at + 5u * rows];
        s.c.y = matrix[at + 6u * rows];
        s.d.y = matrix[at + 7u * rows];
      } else {
        if (cells > 1u) { s.b.x = matrix[at + rows]; }
        if (cells > 2u) { s.c.x = matrix[at + 2u * rows]; }
        if (cells > 3u) { s.d.x = matrix[at + 3u * rows]; }
        if (cells > 4u) { s.a.y = matrix[at + 4u * rows]; }
        if (cells > 5u) { s.b.y = matrix[at + 5u * rows]; }
        if (cells > 6u) { s.c.y = matrix[at + 6u * rows]; }
      }
      s = permute(s);
    }
    digests[i] = s.a.x;
    digests[i + rows] = s.b.x;
    digests[i + 2u * rows] = s.c.x;
    digests[i + 3u * rows] = s.d.x;
    digests[i + 4u * rows] = s.a.y;
    digests[i + 5u * rows] = s.b.y;
    digests[i + 6u * rows] = s.c.y;
    digests[i + 7u * rows] = s.d.y;
  }
}

// Few rows, by four lanes each; every group is full.
@compute @workgroup_size(kQuadLanes)
fn merkle_leaves_quads(@builtin(global_invocation_id) id: vec3<u32>,
                       @builtin(local_invocation_index) lane: u32) {
  let rows = 1u << leaves_params.log_rows;
  let columns = leaves_params.columns;
  let j = lane & 3u;
  let i = id.x / 4u;
  let row = min(i, rows - 1u);
  var v = vec4<u32>(0u);
  for (var c = 0u; c < columns; c += 8u) {
    let cell = c + j;
    if (cell < columns) { v.x = matrix[cell * rows + row]; }
    if (cell + 4u < columns) { v.y = matrix[(cell + 4u) * rows + row]; }
    v = permute_quad(v, lane);
  }
  if (i < rows) {
    digests[j * rows + i] = v.x;
    digests[(4u + j) * rows + i] = v.y;
  }
}

// Where the layer of `size` digests begins.
fn layer_of(log_leaves: u32, size: u32) -> u32 {
  return 8u * ((2u << log_leaves) - 2u * size);
}

// Vector j of the state that compresses children 2 i and 2 i + 1 of a layer
// at word `layer`: the left digest is cells 0 to 7.
fn load_children(layer: u32, size: u32, i: u32, j: u32) -> vec4<u32> {
  let at = layer + j * size + 2u * i;
  return vec4<u32>(tree[at], tree[at + 4u * size], tree[at + 1u],
                   tree[at + 4u * size + 1u]);
}

// Node i of the layer of `size` digests.
fn make_node(size: u32, i: u32) {
  let children = 2u * size;
  let layer = layer_of(tree_params.log_leaves, children);
  let to = layer_of(tree_params.log_leaves, size) + i;
  let s = permute(State(load_children(layer, children, i, 0u),
                        load_children(layer, children, i, 1u),
                        load_children(layer, children, i, 2u),
                        load_children(layer, children, i, 3u)));
  tree[to] = s.a.x;
  tree[to + size] = s.b.x;
  tree[to + 2u * size] = s.c.x;
  tree[to + 3u * size] = s.d.x;
  tree[to + 4u * size] = s.a.y;
  tree[to + 5u * size] = s.b.y;
  tree[to + 6u * size] = s.c.y;
  tree[to + 7u * size] = s.d.y;
}

// A layer of as many nodes as there are invocations.
@compute @workgroup_size(kLanes)
fn merkle_tree_layer(@builtin(global_invocation_id) id: vec3<u32>,
                     @builtin(num_workgroups) groups: vec3<u32>) {
  let row = kLanes * groups.x;
  make_node(row * groups.y, id.y * row + id.x);
}

// Node i of the layer of `size` digests, by four lanes of the group.
fn make_node_by_four(size: u32, i: u32, lane: u32) {
  let j = lane & 3u;
  let children = 2u * size;
  let layer = layer_of(tree_params.log_leaves, children);
  let to = layer_of(tree_params.log_leaves, size) + i;
  let v = permute_quad(load_children(layer, children, min(i, size - 1u), j),
                       lane);
  if (i < size) {
    tree[to + j * size] = v.x;
    tree[to + (4u + j) * size] = v.y;
  }
}

// A layer of few nodes.
@compute @workgroup_size(kQuadLanes)
fn merkle_tree_quads(@builtin(global_invocation_id) id: vec3<u32>,
                     @builtin(local_invocation_index) lane: u32,
                     @builtin(num_workgroups) groups: vec3<u32>) {
  make_node_by_four(kQuadLanes / 4u * groups.x, id.x / 4u, lane);
}

// One group makes the layers from 2^5 nodes on.
@compute @workgroup_size(kTopLanes)
fn merkle_tree(@builtin(local_invocation_index) lane: u32) {
  let most = min(kTopLanes / 4u, (1u << tree_params.log_leaves) / 2u);
  for (var size = most; size > 0u; size /= 2u) {
    make_node_by_four(size, lane / 4u, lane);
    storageBarrier();
  }
}

// An invocation takes a word of a row.
@compute @workgroup_size(kLanes)
fn openings_rows(@builtin(global_invocation_id) id: vec3<u32>,
                 @builtin(num_workgroups) groups: vec3<u32>) {
  let columns = rows_params.columns;
  let words = columns * rows_params.count;
  for (var k = id.x; k < words; k += kLanes * groups.x) {
    let row = places[k / columns];
    opened[k] = source[((k % columns) << rows_params.log_rows) + row];
  }
}

// An invocation takes a word of a digest.
@compute @workgroup_size(kLanes)
fn openings_nodes(@builtin(global_invocation_id) id: vec3<u32>,
                  @builtin(num_workgroups) groups: vec3<u32>) {
  let words = 8u * nodes_params.count;
  for (var k = id.x; k < words; k += kLanes * groups.x) {
    let node = 2u * (k / 8u);
    let size = (1u << nodes_params.log_leaves) >> places[node];
    let layer = layer_of(nodes_params.log_leaves, size);
    opened[k] = source[layer + (k % 8u) * size + places[node + 1u]];
  }
}
