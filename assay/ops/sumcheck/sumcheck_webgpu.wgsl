// Rounds of the quadratic sum-check and sums of weighted tables in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/ext4.wgsl"

// A grid of several groups leaves its sums in scratch, which one more group
// adds up in a second pass; a grid of one group writes the answer.
struct SumParams {
  count: u32,  // blocks of words, or the stride of a table's planes
  log_low: u32,
  log_high: u32,
  pad: u32,
}
struct RoundParams {
  f_stride: u32,
  w_stride: u32,
  log_size: u32,
  pad: u32,
}
struct FoldParams {
  tables: RoundParams,
  r: vec4<u32>,
}

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> low_weights: array<u32>;
@group(0) @binding(2) var<storage, read> high_weights: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> sums: array<vec4<u32>>;
@group(0) @binding(4) var<uniform> sum_params: SumParams;
@group(0) @binding(5) var<storage, read_write> sum_parts: array<vec4<u32>>;

@group(0) @binding(0) var<storage, read> f: array<u32>;
@group(0) @binding(1) var<storage, read> w: array<u32>;
@group(0) @binding(0) var<storage, read_write> folded_f: array<u32>;
@group(0) @binding(1) var<storage, read_write> folded_w: array<u32>;
@group(0) @binding(2) var<storage, read_write> sent: array<vec4<u32>>;
@group(0) @binding(3) var<uniform> round: RoundParams;
@group(0) @binding(3) var<uniform> fold: FoldParams;
@group(0) @binding(4) var<storage, read_write> sent_parts: array<vec4<u32>>;

const kLanes = 256u;

var<workgroup> lanes: array<vec4<u32>, kLanes>;

// The sum over the group, which lane 0 gets.
fn sum_of_lanes(value: vec4<u32>, lane: u32) -> vec4<u32> {
  workgroupBarrier();
  lanes[lane] = value;
  var sum = value;
  for (var half = kLanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      sum = add4(sum, lanes[lane + half]);
      lanes[lane] = sum;
    }
  }
  return sum;
}

fn low_weight(i: u32) -> vec4<u32> {
  let size = 1u << sum_params.log_low;
  return vec4<u32>(low_weights[i], low_weights[i + size],
                   low_weights[i + 2u * size], low_weights[i + 3u * size]);
}

// Writes the group's sum, number `k` of the answers.
fn put_sum(value: vec4<u32>, k: u32, lane: u32, group: u32, groups: u32) {
  let sum = sum_of_lanes(value, lane);
  if (lane == 0u) {
    if (groups == 1u) {
      sums[k] = sum;
    } else {
      sum_parts[k * groups + group] = sum;
    }
  }
}

// Where the stride of the grid is a multiple of the number of low parts, an
// invocation keeps to one of them and multiplies by it at the end.
fn keeps_low(stride: u32) -> bool {
  return (stride >> sum_params.log_low) != 0u;
}

fn times_low(value: vec4<u32>, i: u32) -> vec4<u32> {
  return ext_mul(value, low_weight(i & ((1u << sum_params.log_low) - 1u)));
}

@compute @workgroup_size(kLanes)
fn sumcheck_partial(@builtin(global_invocation_id) id: vec3<u32>,
                    @builtin(local_invocation_index) lane: u32,
                    @builtin(workgroup_id) group: vec3<u32>,
                    @builtin(num_workgroups) groups: vec3<u32>) {
  let log_size = sum_params.log_low + sum_params.log_high;
  let first = group.y << log_size;
  let stride = kLanes * groups.x;
  let keeps = keeps_low(stride);
  var sum = vec4<u32>(0u);
  for (var i = id.x; i < (1u << log_size); i += stride) {
    var term = ext_scale(high_weights[i >> sum_params.log_low],
                         values[first + i]);
    if (!keeps) {
      term = times_low(term, i);
    }
    sum = add4(sum, term);
  }
  if (keeps) {
    sum = times_low(sum, id.x);
  }
  put_sum(sum, group.y, lane, group.x, groups.x);
}

@compute @workgroup_size(kLanes)
fn sumcheck_evaluate(@builtin(global_invocation_id) id: vec3<u32>,
                     @builtin(local_invocation_index) lane: u32,
                     @builtin(workgroup_id) group: vec3<u32>,
                     @builtin(num_workgroups) groups: vec3<u32>) {
  let log_size = sum_params.log_low + sum_params.log_high;
  let plane = sum_params.count;
  let stride = kLanes * groups.x;
  let keeps = keeps_low(stride);
  var sum = vec4<u32>(0u);
  for (var i = id.x; i < (1u << log_size); i += stride) {
    var term = vec4<u32>(values[i], values[i + plane], values[i + 2u * plane],
                         values[i + 3u * plane]);
    term = ext_mul(term, high_weights[i >> sum_params.log_low]);
    if (!keeps) {
      term = times_low(term, i);
    }
    sum = add4(sum, term);
  }
  if (keeps) {
    sum = times_low(sum, id.x);
  }
  put_sum(sum, 0u, lane, group.x, groups.x);
}

// Adds up the parts of answer number `group`.
fn finish_sum(group: u32, parts: u32, lane: u32) {
  var sum = vec4<u32>(0u);
  for (var k = lane; k < parts; k += kLanes) {
    sum = add4(sum, sum_parts[group * parts + k]);
  }
  put_sum(sum, group, lane, 0u, 1u);
}

// As SumcheckGroups() of sumcheck_kernels.h counts them.
fn parts_of(log_size: u32, log_entries: u32) -> u32 {
  return max(1u, min(1024u, (1u << log_size) >> (8u + log_entries)));
}

@compute @workgroup_size(kLanes)
fn sumcheck_partial_finish(@builtin(local_invocation_index) lane: u32,
                           @builtin(workgroup_id) group: vec3<u32>) {
  let log_size = sum_params.log_low + sum_params.log_high;
  finish_sum(group.x, parts_of(log_size, 4u), lane);
}

@compute @workgroup_size(kLanes)
fn sumcheck_evaluate_finish(@builtin(local_invocation_index) lane: u32) {
  let log_size = sum_params.log_low + sum_params.log_high;
  finish_sum(0u, parts_of(log_size, 2u), lane);
}

// h(0) and the leading coefficient over a group's pairs.
struct Message {
  at_zero: vec4<u32>,
  leading: vec4<u32>,
}

fn add_pair(sum: Message, f0: vec4<u32>, f1: vec4<u32>, w0: vec4<u32>,
            w1: vec4<u32>) -> Message {
  return Message(add4(sum.at_zero, ext_mul(f0, w0)),
                 add4(sum.leading, ext_mul(sub4(f1, f0), sub4(w1, w0))));
}

fn put_message(value: Message, lane: u32, group: u32, groups: u32) {
  let at_zero = sum_of_lanes(value.at_zero, lane);
  let leading = sum_of_lanes(value.leading, lane);
  if (lane == 0u) {
    if (groups == 1u) {
      sent[0] = at_zero;
      sent[1] = leading;
    } else {
      sent_parts[2u * group] = at_zero;
      sent_parts[2u * group + 1u] = leading;
    }
  }
}

fn finish_message(parts: u32, lane: u32) {
  var sum = Message();
  for (var k = lane; k < parts; k += kLanes) {
    sum.at_zero = add4(sum.at_zero, sent_parts[2u * k]);
    sum.leading = add4(sum.leading, sent_parts[2u * k + 1u]);
  }
  put_message(sum, lane, 0u, 1u);
}

fn f_at(i: u32) -> vec4<u32> {
  let stride = round.f_stride;
  return vec4<u32>(f[i], f[i + stride], f[i + 2u * stride],
                   f[i + 3u * stride]);
}

fn w_at(i: u32) -> vec4<u32> {
  let stride = round.w_stride;
  return vec4<u32>(w[i], w[i + stride], w[i + 2u * stride],
                   w[i + 3u * stride]);
}

@compute @workgroup_size(kLanes)
fn sumcheck_round(@builtin(global_invocation_id) id: vec3<u32>,
                  @builtin(local_invocation_index) lane: u32,
                  @builtin(workgroup_id) group: vec3<u32>,
                  @builtin(num_workgroups) groups: vec3<u32>) {
  let half = (1u << round.log_size) / 2u;
  var sum = Message();
  for (var i = id.x; i < half; i += kLanes * groups.x) {
    sum = add_pair(sum, f_at(i), f_at(i + half), w_at(i), w_at(i + half));
  }
  put_message(sum, lane, group.x, groups.x);
}

@compute @workgroup_size(kLanes)
fn sumcheck_round_finish(@builtin(local_invocation_index) lane: u32) {
  finish_message(parts_of(round.log_size, 2u), lane);
}

// Entry i of a table bound to r with the one `half` later.
fn bind_f(i: u32, half: u32) -> vec4<u32> {
  let stride = fold.tables.f_stride;
  let low = vec4<u32>(folded_f[i], folded_f[i + stride],
                      folded_f[i + 2u * stride], folded_f[i + 3u * stride]);
  let j = i + half;
  let high = vec4<u32>(folded_f[j], folded_f[j + stride],
                       folded_f[j + 2u * stride], folded_f[j + 3u * stride]);
  let bound = add4(low, ext_mul(sub4(high, low), fold.r));
  folded_f[i] = bound.x;
  folded_f[i + stride] = bound.y;
  folded_f[i + 2u * stride] = bound.z;
  folded_f[i + 3u * stride] = bound.w;
  return bound;
}

fn bind_w(i: u32, half: u32) -> vec4<u32> {
  let stride = fold.tables.w_stride;
  let low = vec4<u32>(folded_w[i], folded_w[i + stride],
                      folded_w[i + 2u * stride], folded_w[i + 3u * stride]);
  let j = i + half;
  let high = vec4<u32>(folded_w[j], folded_w[j + stride],
                       folded_w[j + 2u * stride], folded_w[j + 3u * stride]);
  let bound = add4(low, ext_mul(sub4(high, low), fold.r));
  folded_w[i] = bound.x;
  folded_w[i + stride] = bound.y;
  folded_w[i + 2u * stride] = bound.z;
  folded_w[i + 3u * stride] = bound.w;
  return bound;
}

// An invocation reads the four entries of a table that its two new ones come
// from, so that tables fold in place.
@compute @workgroup_size(kLanes)
fn sumcheck_fold(@builtin(global_invocation_id) id: vec3<u32>,
                 @builtin(local_invocation_index) lane: u32,
                 @builtin(workgroup_id) group: vec3<u32>,
                 @builtin(num_workgroups) groups: vec3<u32>) {
  let half = (1u << fold.tables.log_size) / 2u;
  let quarter = half / 2u;
  var sum = Message();
  for (var i = id.x; i < quarter; i += kLanes * groups.x) {
    let f0 = bind_f(i, half);
    let f1 = bind_f(i + quarter, half);
    let w0 = bind_w(i, half);
    let w1 = bind_w(i + quarter, half);
    sum = add_pair(sum, f0, f1, w0, w1);
  }
  put_message(sum, lane, group.x, groups.x);
}

@compute @workgroup_size(kLanes)
fn sumcheck_fold_finish(@builtin(local_invocation_index) lane: u32) {
  finish_message(parts_of(fold.tables.log_size, 2u), lane);
}

// One entry is left and nothing to measure.
@compute @workgroup_size(1)
fn sumcheck_fold_last() {
  _ = bind_f(0u, 1u);
  _ = bind_w(0u, 1u);
}
