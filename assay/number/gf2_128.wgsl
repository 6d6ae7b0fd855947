// GF(2^128) on words of 32 bits, by integer products with holes.
// SPDX-License-Identifier: Apache-2.0

// An element is four words, low first: bit i of word k belongs to x^(32k+i).
// Constant-time throughout. docs/engines/binary.md, sections 1.1 to 1.4.

// An unreduced product, 256 bits, low half first. Reduction is linear: XOR
// products, then reduce their sum once.
struct Wide {
  low: vec4<u32>,
  high: vec4<u32>,
}

fn wide_add(a: Wide, b: Wide) -> Wide {
  return Wide(a.low ^ b.low, a.high ^ b.high);
}

const kHoles = vec4<u32>(0x11111111u, 0x22222222u, 0x44444444u, 0x88888888u);

// The lower 32 coefficients of a b, from words with one bit in four: at most
// eight terms meet, so no carry leaves its hole. Component k collects the
// pairs whose bits differ from their places by k in all.
fn clmul_low(a: u32, b: u32) -> u32 {
  let x = vec4<u32>(a) & kHoles;
  let y = vec4<u32>(b) & kHoles;
  let r = ((x.xxxx * y.xyzw) ^ (x.yyyy * y.wxyz) ^ (x.zzzz * y.zwxy) ^
           (x.wwww * y.yzwx)) & kHoles;
  return (r.x | r.y) | (r.z | r.w);
}

// Karatsuba on the lower halves of products of words: component k sums those
// of a_i b_j with i + j = k.
fn lower_halves2(a: vec2<u32>, b: vec2<u32>) -> vec3<u32> {
  let first = clmul_low(a.x, b.x);
  let last = clmul_low(a.y, b.y);
  let cross = clmul_low(a.x ^ a.y, b.x ^ b.y);
  return vec3<u32>(first, cross ^ first ^ last, last);
}
fn lower_halves(a: vec4<u32>, b: vec4<u32>) -> Wide {
  let z0 = lower_halves2(a.xy, b.xy);
  let z2 = lower_halves2(a.zw, b.zw);
  let z1 = lower_halves2(a.xy ^ a.zw, b.xy ^ b.zw) ^ z0 ^ z2;
  return Wide(vec4<u32>(z0.x, z0.y, z0.z ^ z1.x, z1.y),
              vec4<u32>(z1.z ^ z2.x, z2.y, z2.z, 0u));
}

// a b, unreduced: 288 products of words. The upper half of a product is the
// lower one of the reversed words, reversed, and stands one word higher.
fn mul_wide(a: vec4<u32>, b: vec4<u32>) -> Wide {
  let lower = lower_halves(a, b);
  let upper = lower_halves(reverseBits(a), reverseBits(b));
  let low = reverseBits(upper.low) >> vec4<u32>(1u);
  let high = reverseBits(upper.high) >> vec4<u32>(1u);
  return Wide(lower.low ^ vec4<u32>(0u, low.xyz),
              lower.high ^ vec4<u32>(low.w, high.xyz));
}

// Across words, by 1 to 31 bits: v x^n and v x^-n, what leaves is lost.
fn shift_up(v: vec4<u32>, n: u32) -> vec4<u32> {
  return (v << vec4<u32>(n)) | (vec4<u32>(0u, v.xyz) >> vec4<u32>(32u - n));
}
fn shift_down(v: vec4<u32>, n: u32) -> vec4<u32> {
  return (v >> vec4<u32>(n)) | (vec4<u32>(v.yzw, 0u) << vec4<u32>(32u - n));
}

// Any 256 bits mod x^128 + x^7 + x^2 + x + 1.
fn reduce(w: Wide) -> vec4<u32> {
  let top = w.high.w;
  var h = w.high;
  h.x ^= (top >> 31u) ^ (top >> 30u) ^ (top >> 25u);
  return w.low ^ h ^ shift_up(h, 1u) ^ shift_up(h, 2u) ^ shift_up(h, 7u);
}

fn mul(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  return reduce(mul_wide(a, b));
}

fn times_x(a: vec4<u32>) -> vec4<u32> {
  let carry = 0x87u & (0u - (a.w >> 31u));
  return shift_up(a, 1u) ^ vec4<u32>(carry, 0u, 0u, 0u);
}

// The lower 16 bits of each word, a zero after each.
fn spread(v: vec4<u32>) -> vec4<u32> {
  var x = v & vec4<u32>(0xffffu);
  x = (x | (x << vec4<u32>(8u))) & vec4<u32>(0x00ff00ffu);
  x = (x | (x << vec4<u32>(4u))) & vec4<u32>(0x0f0f0f0fu);
  x = (x | (x << vec4<u32>(2u))) & vec4<u32>(0x33333333u);
  return (x | (x << vec4<u32>(1u))) & vec4<u32>(0x55555555u);
}

// Squares move bit i to bit 2i: no products.
fn square(a: vec4<u32>) -> vec4<u32> {
  let lower = spread(a);
  let upper = spread(a >> vec4<u32>(16u));
  return reduce(Wide(vec4<u32>(lower.x, upper.x, lower.y, upper.y),
                     vec4<u32>(lower.z, upper.z, lower.w, upper.w)));
}
