// What kernels that hash by GHASH share: powers of the key, lanes joined.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/gf2_128_reflected.wgsl"

// A group has kLanes invocations. Blocks are front-padded with zeros to whole
// rows of kLanes: lane l runs by Horner in H^kLanes through the blocks of its
// column, and the lanes are joined once at the end
// (docs/engines/binary.md, section 3).
const kLanes = 128u;
const kLogLanes = 7u;
const kExponentBits = 32u;

// H^(2^t), reflected. As secret as H.
var<workgroup> hash_powers: array<vec4<u32>, kExponentBits>;
var<workgroup> hash_lanes: array<vec4<u32>, kLanes>;

// To be called by all lanes, `h` a block's words. At most 31 squares a lane.
fn make_hash_powers(h: vec4<u32>, lane: u32) {
  if (lane < kExponentBits) {
    var power = reverse(reflected(h));
    for (var t = 0u; t < lane; t++) {
      power = square(power);
    }
    hash_powers[lane] = reverse(power);
  }
  workgroupBarrier();
}

// What the lanes multiply by from row to row.
fn hash_step() -> vec4<u32> {
  return key_of(hash_powers[kLogLanes]);
}

// A group's memory outlives the group, and drivers need not clear it for the
// next one: to be called by all lanes at the end.
fn wipe_hash(lane: u32) {
  workgroupBarrier();
  hash_lanes[lane] = vec4<u32>(0u);
  if (lane < kExponentBits) {
    hash_powers[lane] = vec4<u32>(0u);
  }
}

// H^exponent for all lanes, by a tree of five products. Exponents are public.
fn hash_power(exponent: u32, lane: u32) -> vec4<u32> {
  if (lane < kExponentBits) {
    hash_lanes[lane] = select(vec4<u32>(0u, 0u, 0u, 0x80000000u),
                              hash_powers[lane],
                              ((exponent >> lane) & 1u) == 1u);
  }
  for (var half = kExponentBits / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      hash_lanes[lane] = mul_reflected(hash_lanes[lane],
                                       key_of(hash_lanes[lane + half]));
    }
  }
  workgroupBarrier();
  let power = hash_lanes[0];
  workgroupBarrier();
  return power;
}

// The hash of a group's rows, given each lane's, with `blocks_after` blocks
// to come: sum_l y_l H^(kLanes - l + blocks_after). Only lane 0 gets it, as
// the words of a block.
fn join_hash(y: vec4<u32>, blocks_after: u32, lane: u32) -> vec4<u32> {
  let power = hash_power(blocks_after + 1u, lane);
  hash_lanes[lane] = y;
  var level = kLogLanes;
  for (var half = kLanes / 2u; half > 0u; half /= 2u) {
    level -= 1u;
    workgroupBarrier();
    if (lane < half) {
      hash_lanes[lane] = hash_lanes[lane + half] ^
          mul_reflected(hash_lanes[lane], key_of(hash_powers[level]));
    }
  }
  return reflected(mul_reflected(hash_lanes[lane], key_of(power)));
}
