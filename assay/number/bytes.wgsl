// Bytes of blocks that lie in memory as words.
// SPDX-License-Identifier: Apache-2.0

// The bytes of each word reversed.
fn swap_bytes(v: vec4<u32>) -> vec4<u32> {
  let even = (v & vec4<u32>(0x00ff00ffu)) << vec4<u32>(8u);
  let odd = (v >> vec4<u32>(8u)) & vec4<u32>(0x00ff00ffu);
  let x = even | odd;
  return (x << vec4<u32>(16u)) | (x >> vec4<u32>(16u));
}

// Ones where the first `bytes` bytes of a block are.
fn byte_mask(bytes: u32) -> vec4<u32> {
  let first = vec4<u32>(0u, 4u, 8u, 12u);
  let count = min(max(vec4<u32>(bytes), first) - first, vec4<u32>(4u));
  let some = (vec4<u32>(1u) << (vec4<u32>(8u) * (count & vec4<u32>(3u)))) -
             vec4<u32>(1u);
  return select(some, vec4<u32>(0xffffffffu), count == vec4<u32>(4u));
}

// How many blocks of 16 bytes there are: whole ones, bytes beyond them, all.
struct Extent {
  whole: u32,
  rest: u32,
  all: u32,
}
fn extent_of(bytes_low: u32, bytes_high: u32) -> Extent {
  let whole = (bytes_high << 28u) | (bytes_low >> 4u);
  let rest = bytes_low & 15u;
  return Extent(whole, rest, whole + min(rest, 1u));
}

// Which bytes of block k there are: none beyond the last one.
fn bytes_of_block(extent: Extent, k: u32) -> vec4<u32> {
  let some = select(0u, extent.rest, k == extent.whole);
  return byte_mask(select(some, 16u, k < extent.whole));
}
