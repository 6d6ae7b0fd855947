// Products of lines at nodes, added up by a group.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/gf2_128.wgsl"

// Loops over factors and nodes, not unrolled: beside a product's thousand
// operations their arrays cost nothing, and a driver compiles one product
// instead of dozens.
const kLanes = 64u;
const kMostFactors = 6u;
const kMostNodes = 9u;

// The entries that lane's position pairs, by column: a line's two ends, or
// the four corners 00, 01, 10, 11 of two variables.
var<private> entries: array<vec4<u32>, 2u * kMostFactors>;
// What the lane's products sum up to at each node.
var<private> sums: array<Wide, kMostNodes>;

// The line lo + X (lo + hi) at a node: 0, 1, infinity, x, x + 1, x^2, x^2 + 1.
fn at_node(node: u32, lo: vec4<u32>, hi: vec4<u32>) -> vec4<u32> {
  let slope = lo ^ hi;
  switch (node) {
    case 0u: { return lo; }
    case 1u: { return hi; }
    case 2u: { return slope; }
    case 3u: { return lo ^ times_x(slope); }
    case 4u: { return hi ^ times_x(slope); }
    case 5u: { return lo ^ times_x(times_x(slope)); }
    default: { return hi ^ times_x(times_x(slope)); }
  }
}

// Adds the product of the lines at the nodes from `first` on.
fn add_nodes(factors: u32, first: u32) {
  for (var node = first; node <= factors; node++) {
    var product = Wide(at_node(node, entries[0], entries[1]), vec4<u32>(0u));
    for (var j = 1u; j < factors; j++) {
      product = mul_wide(
          reduce(product),
          at_node(node, entries[2u * j], entries[2u * j + 1u]));
    }
    sums[node] = wide_add(sums[node], product);
  }
}

// Column j at the pair of nodes (p, q).
fn at_pair(j: u32, p: u32, q: u32) -> vec4<u32> {
  let k = 4u * j;
  return at_node(q, at_node(p, entries[k], entries[k + 2u]),
                 at_node(p, entries[k + 1u], entries[k + 3u]));
}

// Adds the product at all pairs of nodes from number `first` on, p-major.
fn add_grid(factors: u32, first: u32) {
  let nodes = factors + 1u;
  for (var k = first; k < nodes * nodes; k++) {
    let p = k / nodes;
    let q = k % nodes;
    var product = Wide(at_pair(0u, p, q), vec4<u32>(0u));
    for (var j = 1u; j < factors; j++) {
      product = mul_wide(reduce(product), at_pair(j, p, q));
    }
    sums[k] = wide_add(sums[k], product);
  }
}

var<workgroup> lanes: array<vec4<u32>, kLanes>;

// The sum number k of all lanes, which lane 0 gets.
fn sum_of_lanes(k: u32, lane: u32) -> vec4<u32> {
  lanes[lane] = reduce(sums[k]);
  for (var half = kLanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      lanes[lane] ^= lanes[lane + half];
    }
  }
  return lanes[lane];
}
