// The prime field of p = 15 * 2^27 + 1 in Montgomery form, in WGSL.
// SPDX-License-Identifier: Apache-2.0

// As in babybear.h: x is held as x * 2^32 mod p, always below p. Functions
// that end in 4 do the same to four elements.
const kPrime = 0x78000001u;
const kOneResidue = 0x0ffffffeu;   // 2^32 mod p
const kSquareOfR = 0x45dddde3u;    // 2^64 mod p
const kPrimeHigh = 0x7800u;        // p = kPrimeHigh * 2^16 + 1

// The smaller of s and s - p, or of d and d + p, read as unsigned, is the one
// that is below p.
fn add(a: u32, b: u32) -> u32 {
  let s = a + b;
  return min(s, s - kPrime);
}
fn sub(a: u32, b: u32) -> u32 {
  let d = a - b;
  return min(d, d + kPrime);
}
fn add4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let s = a + b;
  return min(s, s - kPrime);
}
fn sub4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let d = a - b;
  return min(d, d + kPrime);
}

// a b 2^-32 mod p, by digits of 16 bits, since products of 32 bits have no
// upper half here. With u = low digits' product and m = the mixed ones,
// a b = a1 b1 2^32 + m 2^16 + u, and p = 1 mod 2^16 takes 16 bits away at a
// time: x 2^-16 = (x >> 16) - (x mod 2^16) kPrimeHigh, which is
// (x >> 16) p - x kPrimeHigh mod 2^32. Then m + u 2^-16 is in (-p, p + 2^16)
// for m below p, and the result in (-p, p).
fn mul(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let u = a0 * b0;
  let m = a0 * b1 + a1 * b0;
  let v = min(m, m - kPrime) + (u >> 16u) * kPrime - u * kPrimeHigh;
  let high = bitcast<u32>(bitcast<i32>(v) >> 16u);
  let r = a1 * b1 + high * kPrime - v * kPrimeHigh;
  return min(r, r + kPrime);
}
fn mul4(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let a0 = a & vec4<u32>(0xffffu);
  let a1 = a >> vec4<u32>(16u);
  let b0 = b & vec4<u32>(0xffffu);
  let b1 = b >> vec4<u32>(16u);
  let u = a0 * b0;
  let m = a0 * b1 + a1 * b0;
  let v = min(m, m - kPrime) + (u >> vec4<u32>(16u)) * kPrime - u * kPrimeHigh;
  let high = bitcast<vec4<u32>>(bitcast<vec4<i32>>(v) >> vec4<u32>(16u));
  let r = a1 * b1 + high * kPrime - v * kPrimeHigh;
  return min(r, r + kPrime);
}

// The residue of an integer below 2^31, and the integer of a residue.
fn from_canonical(x: u32) -> u32 {
  return mul(x, kSquareOfR);
}
fn canonical(x: u32) -> u32 {
  return mul(x, 1u);
}
