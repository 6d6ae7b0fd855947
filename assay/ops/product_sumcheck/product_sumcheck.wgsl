// Products of lines at nodes, added up by a group.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/gf2_128.wgsl"

// Loops over factors and nodes stay loops: beside a product's hundreds of
// operations their arrays cost little, and a driver compiles few products
// instead of dozens.
const kLanes = 64u;
const kMostFactors = 6u;
const kMostNodes = 9u;

// What belongs together at a lane's position, by column: a line's two ends, or
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

// From three columns on they go in pairs: two lines' product at 0, 1 and
// infinity says what it is at the other nodes, by shifts. Three products a
// pair, and at a node only the pairs are left to multiply
// (docs/engines/binary.md, section 2.6).
var<private> pairs: array<vec4<u32>, 3u * (kMostFactors / 2u)>;

// A pair's product at a node, given its values at 0, 1 and infinity.
fn pair_at_node(node: u32, at0: vec4<u32>, at1: vec4<u32>,
                top: vec4<u32>) -> vec4<u32> {
  let linear = at0 ^ at1 ^ top;
  switch (node) {
    case 0u: { return at0; }
    case 1u: { return at1; }
    case 2u: { return top; }
    case 3u: { return at0 ^ times_x(linear ^ times_x(top)); }
    case 4u: { return at1 ^ times_x(linear ^ times_x(top)); }
    default: {
      let twice = times_x(times_x(linear ^ times_x(times_x(top))));
      return select(at1, at0, node == 5u) ^ twice;
    }
  }
}

// Factor number `t` of the product at a node: pairs first, then lines.
fn factor_at_node(t: u32, count: u32, node: u32) -> vec4<u32> {
  if (t < count) {
    return pair_at_node(node, pairs[3u * t], pairs[3u * t + 1u],
                        pairs[3u * t + 2u]);
  }
  let column = t + count;
  return at_node(node, entries[2u * column], entries[2u * column + 1u]);
}

// Adds the product of the lines at the nodes from `first` on.
fn add_nodes(factors: u32, first: u32) {
  let count = select(0u, factors / 2u, factors > 2u);
  for (var k = 0u; k < 3u * count; k++) {
    let column = 4u * (k / 3u);
    pairs[k] = mul(at_node(k % 3u, entries[column], entries[column + 1u]),
                   at_node(k % 3u, entries[column + 2u],
                           entries[column + 3u]));
  }
  for (var node = first; node <= factors; node++) {
    var product = Wide(factor_at_node(0u, count, node), vec4<u32>(0u));
    for (var t = 1u; t < factors - count; t++) {
      product = mul_wide(reduce(product), factor_at_node(t, count, node));
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
