// Stages of the transform on a tile that a workgroup holds.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/babybear.wgsl"

// Decimation in time: entry `pos` of a codeword starts as the coefficient
// whose index is `pos` with its bits reversed; stage s combines entries that
// differ in bit s. With padding, the first stages only copy.
struct EncodeParams {
  log_message: u32,
  log_rows: u32,
  columns: u32,
  planes: u32,
  plane_stride: u32,
  reversed: u32,
  pad0: u32,
  pad1: u32,
}

@group(0) @binding(0) var<storage, read> message: array<u32>;
@group(0) @binding(1) var<storage, read_write> codeword: array<u32>;
@group(0) @binding(2) var<storage, read> twiddles: array<u32>;
@group(0) @binding(3) var<uniform> params: EncodeParams;

const kLanes = 256u;
const kLogTile = 12u;  // 16 entries an invocation

// How many stages pass number k takes. Two passes of more than nine would be
// fewer, but their runs of eight words and more are faster.
fn pass_bits(k: u32) -> u32 {
  let rows = params.log_rows;
  let passes = select(select(3u, 2u, rows <= 18u), 1u, rows <= kLogTile);
  return (rows + passes - 1u - k) / passes;
}

// The lowest `bits` bits of x in reverse.
fn reverse(x: u32, bits: u32) -> u32 {
  return (reverseBits(x) >> (31u - bits)) >> 1u;
}

// Where the message of a column begins.
fn message_of(column: u32) -> u32 {
  var block = column / params.planes;
  if (params.reversed != 0u) {
    block = reverse(block, firstTrailingBit(params.columns / params.planes));
  }
  return (column % params.planes) * params.plane_stride +
         (block << params.log_message);
}

// Stages first to first + bits - 1 on 2^log_units runs of 2^bits entries.
// Runs of the first pass are neighbours in the message, those of the others
// in the codeword: a tile's accesses are then of 2^log_units words or longer.
// A message in reversed order lies as the codeword does.
struct Pass {
  first: u32,
  bits: u32,
  log_units: u32,
}

// Sixteen entries that differ in four neighbouring bits of their place: entry
// e is component e % 4 of vector e / 4.
struct Sixteen {
  v0: vec4<u32>,
  v1: vec4<u32>,
  v2: vec4<u32>,
  v3: vec4<u32>,
}

// Stages `stage` to stage + 3 of them, those before `begin` left out. `low`
// is the place of entry 0 below bit `stage`.
fn four_stages(x: Sixteen, stage: u32, begin: u32, low: u32) -> Sixteen {
  var v0 = x.v0;
  var v1 = x.v1;
  var v2 = x.v2;
  var v3 = x.v3;
  let step = 1u << stage;
  if (begin <= stage) {
    let w = vec4<u32>(twiddles[step + low]);
    let a = vec4<u32>(v0.xz, v1.xz);
    let b = mul4(vec4<u32>(v0.yw, v1.yw), w);
    let c = vec4<u32>(v2.xz, v3.xz);
    let d = mul4(vec4<u32>(v2.yw, v3.yw), w);
    let s = add4(a, b);
    let t = sub4(a, b);
    let p = add4(c, d);
    let q = sub4(c, d);
    v0 = vec4<u32>(s.x, t.x, s.y, t.y);
    v1 = vec4<u32>(s.z, t.z, s.w, t.w);
    v2 = vec4<u32>(p.x, q.x, p.y, q.y);
    v3 = vec4<u32>(p.z, q.z, p.w, q.w);
  }
  if (begin <= stage + 1u) {
    let at = 2u * step + low;
    let w = vec2<u32>(twiddles[at], twiddles[at + step]).xyxy;
    let a = vec4<u32>(v0.xy, v1.xy);
    let b = mul4(vec4<u32>(v0.zw, v1.zw), w);
    let c = vec4<u32>(v2.xy, v3.xy);
    let d = mul4(vec4<u32>(v2.zw, v3.zw), w);
    let s = add4(a, b);
    let t = sub4(a, b);
    let p = add4(c, d);
    let q = sub4(c, d);
    v0 = vec4<u32>(s.xy, t.xy);
    v1 = vec4<u32>(s.zw, t.zw);
    v2 = vec4<u32>(p.xy, q.xy);
    v3 = vec4<u32>(p.zw, q.zw);
  }
  if (begin <= stage + 2u) {
    let w = load_twiddles(4u * step + low, step);
    let b = mul4(v1, w);
    let d = mul4(v3, w);
    v1 = sub4(v0, b);
    v0 = add4(v0, b);
    v3 = sub4(v2, d);
    v2 = add4(v2, d);
  }
  let at = 8u * step + low;
  let c = mul4(v2, load_twiddles(at, step));
  let d = mul4(v3, load_twiddles(at + 4u * step, step));
  return Sixteen(add4(v0, c), add4(v1, d), sub4(v0, c), sub4(v1, d));
}

fn load_twiddles(at: u32, step: u32) -> vec4<u32> {
  return vec4<u32>(twiddles[at], twiddles[at + step], twiddles[at + 2u * step],
                   twiddles[at + 3u * step]);
}

// Neighbouring invocations meet in different banks.
var<workgroup> tile: array<u32, 1u << kLogTile>;

fn slot(i: u32) -> u32 {
  return i ^ ((i >> 5u) & 31u);
}

fn load_tile(at: u32, step: u32) -> vec4<u32> {
  return vec4<u32>(tile[slot(at)], tile[slot(at + step)],
                   tile[slot(at + 2u * step)], tile[slot(at + 3u * step)]);
}

fn store_tile(v: vec4<u32>, at: u32, step: u32) {
  tile[slot(at)] = v.x;
  tile[slot(at + step)] = v.y;
  tile[slot(at + 2u * step)] = v.z;
  tile[slot(at + 3u * step)] = v.w;
}

fn load_codeword(at: u32, step: u32) -> vec4<u32> {
  return vec4<u32>(codeword[at], codeword[at + step], codeword[at + 2u * step],
                   codeword[at + 3u * step]);
}

fn store_codeword(v: vec4<u32>, at: u32, step: u32) {
  codeword[at] = v.x;
  codeword[at + step] = v.y;
  codeword[at + 2u * step] = v.z;
  codeword[at + 3u * step] = v.w;
}

// What stands at places pos to pos + 3 of a column before the first stage.
fn load_message(first: u32, pos: u32) -> vec4<u32> {
  let places =
      (vec4<u32>(pos) + vec4<u32>(0u, 1u, 2u, 3u)) >>
      vec4<u32>(params.log_rows - params.log_message);
  let reversed_places =
      (reverseBits(places) >> vec4<u32>(31u - params.log_message)) >>
      vec4<u32>(1u);
  let at = first + select(reversed_places, places,
                          vec4<bool>(params.reversed != 0u));
  return vec4<u32>(message[at.x], message[at.y], message[at.z], message[at.w]);
}

// The place in the column of entry `mid` of run `unit` of tile number `g`.
fn place_of(p: Pass, g: u32, unit: u32, mid: u32) -> u32 {
  let run = (g << p.log_units) | unit;
  if (p.first == 0u) {
    let place = select(reverse(run, params.log_rows - p.bits), run,
                       params.reversed != 0u);
    return (place << p.bits) | mid;
  }
  let low = run & ((1u << p.first) - 1u);
  return ((run >> p.first) << (p.first + p.bits)) | (mid << p.first) | low;
}

// One pass over a tile: sixteen entries an invocation go from memory through
// four stages, meet others in the tile for the next four, and go back.
fn run_pass(p: Pass, lane: u32, group: vec3<u32>) {
  let column = group.y << params.log_rows;
  let copied = params.log_rows - params.log_message;
  let busy = lane < (1u << (p.bits + p.log_units - 4u));
  let log_runs = p.bits - 4u;
  let steps = (p.bits + 3u) / 4u;
  for (var k = 0u; k < steps; k++) {
    let bit = min(4u * k, log_runs);
    let last = k + 1u == steps;
    // Where the message or the codeword is met as one run, its entries are
    // neighbours; otherwise the runs are.
    var unit = lane & ((1u << p.log_units) - 1u);
    var rest = lane >> p.log_units;
    if (p.first == 0u && (last || params.reversed != 0u)) {
      rest = lane & ((1u << log_runs) - 1u);
      unit = lane >> log_runs;
    }
    let mid = ((rest >> bit) << (bit + 4u)) | (rest & ((1u << bit) - 1u));
    let place = place_of(p, group.x, unit, mid);
    let local = (mid << p.log_units) | unit;
    let local_step = 1u << (bit + p.log_units);
    let stage = p.first + bit;
    let step = 1u << stage;
    var x: Sixteen;
    if (busy) {
      if (k != 0u) {
        x = Sixteen(load_tile(local, local_step),
                    load_tile(local + 4u * local_step, local_step),
                    load_tile(local + 8u * local_step, local_step),
                    load_tile(local + 12u * local_step, local_step));
      } else if (p.first != 0u) {
        let at = column + place;
        x = Sixteen(load_codeword(at, step),
                    load_codeword(at + 4u * step, step),
                    load_codeword(at + 8u * step, step),
                    load_codeword(at + 12u * step, step));
      } else {
        let first = message_of(group.y);
        x = Sixteen(load_message(first, place), load_message(first, place + 4u),
                    load_message(first, place + 8u),
                    load_message(first, place + 12u));
      }
      let begin = max(p.first + 4u * k, copied);
      if (begin < stage + 4u) {
        x = four_stages(x, stage, begin, place & (step - 1u));
      }
      if (last) {
        let at = column + place;
        store_codeword(x.v0, at, step);
        store_codeword(x.v1, at + 4u * step, step);
        store_codeword(x.v2, at + 8u * step, step);
        store_codeword(x.v3, at + 12u * step, step);
      }
    }
    if (!last) {
      // Nobody overwrites what somebody has yet to read.
      workgroupBarrier();
      if (busy) {
        store_tile(x.v0, local, local_step);
        store_tile(x.v1, local + 4u * local_step, local_step);
        store_tile(x.v2, local + 8u * local_step, local_step);
        store_tile(x.v3, local + 12u * local_step, local_step);
      }
      workgroupBarrier();
    }
  }
}
