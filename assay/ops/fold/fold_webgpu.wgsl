// Folds of base tables and weights of claims in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/ext4.wgsl"

struct BaseParams {
  log_blocks: u32,
  log_size: u32,
  stride: u32,
  pad: u32,
}
struct EqParams {
  log_low: u32,
  log_high: u32,
  stride: u32,
  accumulate: u32,
}
struct SelectParams {
  count: u32,
  log_size: u32,
  stride: u32,
  reversed: u32,
}
struct ReverseParams {
  log_size: u32,
  pad0: u32,
  pad1: u32,
  pad2: u32,
}

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read> factors: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> planes: array<u32>;
@group(0) @binding(3) var<uniform> base: BaseParams;
@group(0) @binding(3) var<uniform> eq: EqParams;
@group(0) @binding(3) var<uniform> powers: SelectParams;
@group(0) @binding(4) var<storage, read_write> power_parts: array<vec4<u32>>;

@group(0) @binding(0) var<storage, read_write> table: array<u32>;
@group(0) @binding(1) var<uniform> reversal: ReverseParams;

const kLanes = 256u;

fn store(value: vec4<u32>, i: u32, stride: u32) {
  planes[i] = value.x;
  planes[i + stride] = value.y;
  planes[i + 2u * stride] = value.z;
  planes[i + 3u * stride] = value.w;
}

fn load(i: u32, stride: u32) -> vec4<u32> {
  return vec4<u32>(planes[i], planes[i + stride], planes[i + 2u * stride],
                   planes[i + 3u * stride]);
}

// An invocation takes an entry; neighbours read neighbouring words.
@compute @workgroup_size(kLanes)
fn fold_base(@builtin(global_invocation_id) id: vec3<u32>,
             @builtin(num_workgroups) groups: vec3<u32>) {
  let size = 1u << base.log_size;
  for (var i = id.x; i < size; i += kLanes * groups.x) {
    var sum = vec4<u32>(0u);
    for (var c = 0u; c < (1u << base.log_blocks); c++) {
      sum = add4(sum, ext_scale(factors[c], words[c * size + i]));
    }
    store(sum, i, base.stride);
  }
}

@compute @workgroup_size(kLanes)
fn weights_eq(@builtin(global_invocation_id) id: vec3<u32>,
              @builtin(num_workgroups) groups: vec3<u32>) {
  let low_size = 1u << eq.log_low;
  for (var i = id.x; i < (low_size << eq.log_high); i += kLanes * groups.x) {
    let j = i & (low_size - 1u);
    let low = vec4<u32>(words[j], words[j + low_size],
                        words[j + 2u * low_size], words[j + 3u * low_size]);
    var weight = ext_mul(low, factors[i >> eq.log_low]);
    if (eq.accumulate != 0u) {
      weight = add4(weight, load(i, eq.stride));
    }
    store(weight, i, eq.stride);
  }
}

// The weights are a product of matrices: powers of y for the low bits of an
// index, and coefficients times powers for the others. Scratch holds the
// former as vectors of four neighbouring y, then the latter.
const kMostLogLow = 8u;

fn log_low() -> u32 {
  return min(kMostLogLow, powers.log_size);
}

// y to the power that index `i` stands for.
fn power_of(y: u32, i: u32) -> u32 {
  var power = kOneResidue;
  var square = y;
  for (var t = 0u; t < powers.log_size; t++) {
    let bit = select(t, powers.log_size - 1u - t, powers.reversed != 0u);
    if (((i >> bit) & 1u) != 0u) {
      power = mul(power, square);
    }
    square = mul(square, square);
  }
  return power;
}

// An invocation of row `id.y` makes one part for four y: first those of the
// low bits, then those of the others.
@compute @workgroup_size(kLanes)
fn weights_select_powers(@builtin(global_invocation_id) id: vec3<u32>,
                         @builtin(num_workgroups) groups: vec3<u32>) {
  let low_size = 1u << log_low();
  let high_size = 1u << (powers.log_size - log_low());
  let fours = (powers.count + 3u) / 4u;
  for (var k = id.x; k < low_size + high_size; k += kLanes * groups.x) {
    let is_low = k < low_size;
    let h = k - low_size;
    var power = vec4<u32>(0u);
    for (var c = 0u; c < 4u; c++) {
      let j = 4u * id.y + c;
      if (j < powers.count) {
        let x = power_of(words[j], select(h << log_low(), k, is_low));
        if (is_low) {
          power[c] = x;
        } else {
          power_parts[fours * low_size + j * high_size + h] =
              ext_scale(factors[j], x);
        }
      } else if (!is_low) {
        power_parts[fours * low_size + j * high_size + h] = vec4<u32>(0u);
      }
    }
    if (is_low) {
      power_parts[id.y * low_size + k] = power;
    }
  }
}

// A group takes all low parts of an index's other bits at a time.
@compute @workgroup_size(kLanes)
fn weights_select(@builtin(local_invocation_index) lane: u32,
                  @builtin(workgroup_id) group: vec3<u32>,
                  @builtin(num_workgroups) groups: vec3<u32>) {
  let low_size = 1u << log_low();
  let high_size = 1u << (powers.log_size - log_low());
  let fours = (powers.count + 3u) / 4u;
  if (lane >= low_size) {
    return;
  }
  for (var h = group.x; h < high_size; h += groups.x) {
    let i = (h << log_low()) | lane;
    var sum = load(i, powers.stride);
    for (var j = 0u; j < fours; j++) {
      let power = power_parts[j * low_size + lane];
      let at = fours * low_size + 4u * j * high_size + h;
      sum = add4(sum, ext_scale(power_parts[at], power.x));
      sum = add4(sum, ext_scale(power_parts[at + high_size], power.y));
      sum = add4(sum, ext_scale(power_parts[at + 2u * high_size], power.z));
      sum = add4(sum, ext_scale(power_parts[at + 3u * high_size], power.w));
    }
    store(sum, i, powers.stride);
  }
}

// The invocation of the smaller index swaps.
@compute @workgroup_size(kLanes)
fn fold_reverse(@builtin(global_invocation_id) id: vec3<u32>,
                @builtin(num_workgroups) groups: vec3<u32>) {
  let bits = reversal.log_size;
  for (var i = id.x; i < (1u << bits); i += kLanes * groups.x) {
    let j = (reverseBits(i) >> (31u - bits)) >> 1u;
    if (i < j) {
      let x = table[i];
      table[i] = table[j];
      table[j] = x;
    }
  }
}
