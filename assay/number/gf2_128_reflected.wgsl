// GHASH's order of bits over the products of GF(2^128).
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/bytes.wgsl"
//#include "assay/number/gf2_128.wgsl"

// A reflected element is a block of GCM read as a big-endian number: bit 127
// is x^0. docs/engines/binary.md, section 1.3.

// Between a block's words, as memory holds them, and a reflected element.
fn reflected(block: vec4<u32>) -> vec4<u32> {
  return swap_bytes(block.wzyx);
}

// Between a reflected element and one in natural order.
fn reverse(v: vec4<u32>) -> vec4<u32> {
  return reverseBits(v.wzyx);
}

// The product of reflected words stands one bit too low. A key that was
// divided by x makes up for that: this is the form that mul_reflected wants.
fn key_of(h: vec4<u32>) -> vec4<u32> {
  let carry = 0u - (h.w >> 31u);
  return shift_up(h, 1u) ^
         (vec4<u32>(carry) & vec4<u32>(1u, 0u, 0u, 0xc2000000u));
}

// Any 256 bits: the lower words hold the high degrees.
fn reduce_reflected(w: Wide) -> vec4<u32> {
  let first = w.low.x;
  var t = w.low;
  t.w ^= (first << 31u) ^ (first << 30u) ^ (first << 25u);
  return w.high ^ t ^ shift_down(t, 1u) ^ shift_down(t, 2u) ^ shift_down(t, 7u);
}

// a H for key = key_of(H).
fn mul_reflected(a: vec4<u32>, key: vec4<u32>) -> vec4<u32> {
  return reduce_reflected(mul_wide(a, key));
}
