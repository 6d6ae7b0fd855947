// AES in counter mode on bit planes: eight blocks an invocation.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/bytes.wgsl"
//#include "assay/ops/aes/sbox.wgsl"

// Plane t holds bit t of the bytes of eight blocks: component r, bit 8 c + k
// is that of row r and column c of block k. Rows then shift by rotations,
// columns mix by swizzles, and a key is bytes of zeros or ones.
alias Planes = array<vec4<u32>, 8>;

const kMostKeyPlanes = 120u;
// The round keys' planes, eight a key.
var<workgroup> key_planes: array<vec4<u32>, kMostKeyPlanes>;

// A group's memory outlives the group, and drivers need not clear it for the
// next one: to be called by all of at least as many lanes at the end.
fn wipe_key_planes(lane: u32) {
  workgroupBarrier();
  if (lane < kMostKeyPlanes) {
    key_planes[lane] = vec4<u32>(0u);
  }
}

// Plane `t` of a block of which all eight are copies.
fn plane_of_block(block: vec4<u32>, t: u32) -> vec4<u32> {
  var plane: vec4<u32>;
  for (var r = 0u; r < 4u; r++) {
    let bits = ((block >> vec4<u32>(8u * r + t)) & vec4<u32>(1u)) * 255u;
    plane[r] = bits.x | (bits.y << 8u) | (bits.z << 16u) | (bits.w << 24u);
  }
  return plane;
}

fn shift_row(v: vec4<u32>) -> vec4<u32> {
  return (v >> vec4<u32>(0u, 8u, 16u, 24u)) |
         (v << vec4<u32>(0u, 24u, 16u, 8u));
}

fn sub_bytes_shift_rows(s: Planes) -> Planes {
  let x = sub_planes(Planes(s[7], s[6], s[5], s[4], s[3], s[2], s[1], s[0]));
  return Planes(shift_row(x[7]), shift_row(x[6]), shift_row(x[5]),
                shift_row(x[4]), shift_row(x[3]), shift_row(x[2]),
                shift_row(x[1]), shift_row(x[0]));
}

// 2 (a_i + a_(i+1)) + a_(i+1) + (a_(i+2) + a_(i+3)) for plane t: `lower` is
// plane t - 1 of a_i + a_(i+1), with what its plane 7 carries into plane t.
fn mix(a: vec4<u32>, sum: vec4<u32>, lower: vec4<u32>) -> vec4<u32> {
  return lower ^ a.yzwx ^ sum.zwxy;
}
fn mix_columns(a: Planes) -> Planes {
  let s0 = a[0] ^ a[0].yzwx;
  let s1 = a[1] ^ a[1].yzwx;
  let s2 = a[2] ^ a[2].yzwx;
  let s3 = a[3] ^ a[3].yzwx;
  let s4 = a[4] ^ a[4].yzwx;
  let s5 = a[5] ^ a[5].yzwx;
  let s6 = a[6] ^ a[6].yzwx;
  let s7 = a[7] ^ a[7].yzwx;
  return Planes(mix(a[0], s0, s7), mix(a[1], s1, s0 ^ s7), mix(a[2], s2, s1),
                mix(a[3], s3, s2 ^ s7), mix(a[4], s4, s3 ^ s7),
                mix(a[5], s5, s4), mix(a[6], s6, s5), mix(a[7], s7, s6));
}

fn add_key(s: Planes, round: u32) -> Planes {
  let k = 8u * round;
  return Planes(s[0] ^ key_planes[k], s[1] ^ key_planes[k + 1u],
                s[2] ^ key_planes[k + 2u], s[3] ^ key_planes[k + 3u],
                s[4] ^ key_planes[k + 4u], s[5] ^ key_planes[k + 5u],
                s[6] ^ key_planes[k + 6u], s[7] ^ key_planes[k + 7u]);
}

// Exchanges the bits of a that `mask` << n covers with those of b under mask.
struct Pair {
  a: vec4<u32>,
  b: vec4<u32>,
}
fn exchange(a: vec4<u32>, b: vec4<u32>, n: u32, mask: u32) -> Pair {
  let t = ((a >> vec4<u32>(n)) ^ b) & vec4<u32>(mask);
  return Pair(a ^ (t << vec4<u32>(n)), b ^ t);
}

// Bit i of each byte of word j to bit j of the byte of word i.
fn transpose_bits(s: Planes) -> Planes {
  let p0 = exchange(s[0], s[1], 1u, 0x55555555u);
  let p2 = exchange(s[2], s[3], 1u, 0x55555555u);
  let p4 = exchange(s[4], s[5], 1u, 0x55555555u);
  let p6 = exchange(s[6], s[7], 1u, 0x55555555u);
  let q0 = exchange(p0.a, p2.a, 2u, 0x33333333u);
  let q1 = exchange(p0.b, p2.b, 2u, 0x33333333u);
  let q4 = exchange(p4.a, p6.a, 2u, 0x33333333u);
  let q5 = exchange(p4.b, p6.b, 2u, 0x33333333u);
  let r0 = exchange(q0.a, q4.a, 4u, 0x0f0f0f0fu);
  let r1 = exchange(q1.a, q5.a, 4u, 0x0f0f0f0fu);
  let r2 = exchange(q0.b, q4.b, 4u, 0x0f0f0f0fu);
  let r3 = exchange(q1.b, q5.b, 4u, 0x0f0f0f0fu);
  return Planes(r0.a, r1.a, r2.a, r3.a, r0.b, r1.b, r2.b, r3.b);
}

// Byte i of word j to byte j of word i.
fn transpose_bytes(v: vec4<u32>) -> vec4<u32> {
  let t = ((v.xy >> vec2<u32>(16u)) ^ v.zw) & vec2<u32>(0xffffu);
  let u = vec4<u32>(v.xy ^ (t << vec2<u32>(16u)), v.zw ^ t);
  let w = ((u.xz >> vec2<u32>(8u)) ^ u.yw) & vec2<u32>(0x00ff00ffu);
  let even = u.xz ^ (w << vec2<u32>(8u));
  let odd = u.yw ^ w;
  return vec4<u32>(even.x, odd.x, even.y, odd.y);
}

// The bytes of a number, first the highest, in the last column.
fn number_column(n: u32) -> vec4<u32> {
  return (vec4<u32>(n) << vec4<u32>(0u, 8u, 16u, 24u)) &
         vec4<u32>(0xff000000u);
}

// The key stream's blocks of the counters n, n + step, ... n + 7 step. What
// else is in the counter block has been added to the first round key.
fn key_stream(n: u32, step: u32, rounds: u32) -> Planes {
  var s = transpose_bits(Planes(
      number_column(n), number_column(n + step), number_column(n + 2u * step),
      number_column(n + 3u * step), number_column(n + 4u * step),
      number_column(n + 5u * step), number_column(n + 6u * step),
      number_column(n + 7u * step)));
  s = add_key(s, 0u);
  for (var round = 1u; round < rounds; round++) {
    s = add_key(mix_columns(sub_bytes_shift_rows(s)), round);
  }
  s = transpose_bits(add_key(sub_bytes_shift_rows(s), rounds));
  return Planes(transpose_bytes(s[0]), transpose_bytes(s[1]),
                transpose_bytes(s[2]), transpose_bytes(s[3]),
                transpose_bytes(s[4]), transpose_bytes(s[5]),
                transpose_bytes(s[6]), transpose_bytes(s[7]));
}
