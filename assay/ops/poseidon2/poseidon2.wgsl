// The Poseidon2 permutation of width 16 over BabyBear, one state a lane.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/babybear.wgsl"

// Vector j of a state holds cells j, 4 + j, 8 + j, 12 + j: the matrix of an
// external layer within groups of four cells then works on whole vectors.
struct State {
  a: vec4<u32>,
  b: vec4<u32>,
  c: vec4<u32>,
  d: vec4<u32>,
}

// The residues of poseidon2_constants.h; four vectors an external round.
const kFullConstants = array<vec4<u32>, 32>(
    vec4<u32>(0x5e4d6938u, 0x4d20d77du, 0x3c99be27u, 0x2f62cc76u),
    vec4<u32>(0x71385defu, 0x52478027u, 0x0221857au, 0x37682266u),
    vec4<u32>(0x61ddbd3au, 0x732e57c3u, 0x4bbe9ab7u, 0x1f3714e3u),
    vec4<u32>(0x1b941180u, 0x10e63112u, 0x32c46133u, 0x5f01dd7du),
    vec4<u32>(0x35678506u, 0x45c068bdu, 0x287549eau, 0x1e55a92du),
    vec4<u32>(0x67da0d24u, 0x2ed4b9ecu, 0x3bedb1b8u, 0x1f9c528fu),
    vec4<u32>(0x36b3008au, 0x249392d3u, 0x659e048eu, 0x4f1ad620u),
    vec4<u32>(0x5a6765ccu, 0x150a571cu, 0x46023d70u, 0x547fa880u),
    vec4<u32>(0x44c19b36u, 0x1b18a7edu, 0x53aaba92u, 0x2ee93eacu),
    vec4<u32>(0x22c2f11au, 0x0a66840eu, 0x6bbfe070u, 0x3f67bc14u),
    vec4<u32>(0x17b67671u, 0x0a3cd409u, 0x1ad7c512u, 0x766f3f66u),
    vec4<u32>(0x55dddeb4u, 0x771e5548u, 0x56f4fbf9u, 0x1cb5555cu),
    vec4<u32>(0x496b4856u, 0x3d176cccu, 0x3ce22e52u, 0x3003796eu),
    vec4<u32>(0x4ee52289u, 0x42103ad7u, 0x2ae0610au, 0x234c77ebu),
    vec4<u32>(0x0e351627u, 0x4c8a5ba9u, 0x2751c80bu, 0x687881f7u),
    vec4<u32>(0x77f2fa2bu, 0x242cfe16u, 0x2ddefdb7u, 0x278ad903u),
    vec4<u32>(0x3b98331au, 0x27c8bae0u, 0x30ad7b47u, 0x5165184au),
    vec4<u32>(0x1225b500u, 0x67810938u, 0x4025183au, 0x3a2811d0u),
    vec4<u32>(0x20f18724u, 0x4f2405e1u, 0x7222068fu, 0x3d7d5b9cu),
    vec4<u32>(0x1add1eadu, 0x44bd103fu, 0x6376b2e5u, 0x530c569du),
    vec4<u32>(0x5caada1cu, 0x71d1c1e9u, 0x07427c35u, 0x06cf9aa9u),
    vec4<u32>(0x3d06627du, 0x2c0fb8f7u, 0x059b1122u, 0x1eb2ca04u),
    vec4<u32>(0x5ffc6e6cu, 0x198b65e1u, 0x519ea061u, 0x02ec7cacu),
    vec4<u32>(0x14ba29f8u, 0x25bcff06u, 0x4a81a536u, 0x74f6c733u),
    vec4<u32>(0x524ebfdeu, 0x643ed13bu, 0x5b49128fu, 0x6f822c4au),
    vec4<u32>(0x6edd9d09u, 0x2a5eb829u, 0x0227bd55u, 0x179a43f2u),
    vec4<u32>(0x03db6b21u, 0x3ccf7585u, 0x2a88bdadu, 0x42ec1895u),
    vec4<u32>(0x0094e6fcu, 0x544a7136u, 0x055c4d17u, 0x68f3d82fu),
    vec4<u32>(0x30dcf522u, 0x65709ccdu, 0x6eb895c4u, 0x505e67b5u),
    vec4<u32>(0x0806ab72u, 0x6a3c56e1u, 0x0d422bd9u, 0x3a05211eu),
    vec4<u32>(0x689d63dbu, 0x5871ed94u, 0x03c4b679u, 0x5ed5c104u),
    vec4<u32>(0x011943f8u, 0x395e47bdu, 0x1eb56ddeu, 0x2a1275f1u),
);
const kPartialConstants = array<u32, 13>(
    0x0eee3c46u, 0x1f803700u, 0x57cbade6u, 0x3a3d3472u, 0x706866bdu,
    0x413da073u, 0x08ca8f35u, 0x279652bbu, 0x17c601dau, 0x140a84a1u,
    0x6113337bu, 0x34f6e216u, 0x22f9b8b2u,
);

fn pow7(x: vec4<u32>) -> vec4<u32> {
  let x2 = mul4(x, x);
  return mul4(mul4(x2, x2), mul4(x2, x));
}

fn add_column(v: vec4<u32>) -> vec4<u32> {
  return add4(v, vec4<u32>(add(add(v.x, v.y), add(v.z, v.w))));
}

// M4 on each group of four, then each cell gains the sum of its column over
// the groups (Poseidon2 paper, section 5.1).
fn external_layer(s: State) -> State {
  let ab = add4(s.a, s.b);
  let cd = add4(s.c, s.d);
  let sum = add4(ab, cd);
  let sum_b = add4(sum, s.b);
  let sum_d = add4(sum, s.d);
  return State(add_column(add4(sum_b, ab)),
               add_column(add4(sum_b, add4(s.c, s.c))),
               add_column(add4(sum_d, cd)),
               add_column(add4(sum_d, add4(s.a, s.a))));
}

fn full_round(s: State, round: u32) -> State {
  let k = 4u * round;
  return external_layer(State(pow7(add4(s.a, kFullConstants[k])),
                              pow7(add4(s.b, kFullConstants[k + 1u])),
                              pow7(add4(s.c, kFullConstants[k + 2u])),
                              pow7(add4(s.d, kFullConstants[k + 3u]))));
}

// x 2^-k, 1 <= k <= 27: with x = high 2^k + low it is
// high - low 15 2^(27-k), of which both parts are below p.
fn divide(x: u32, k: u32) -> u32 {
  return sub(x >> k, (x & ((1u << k) - 1u)) * (15u << (27u - k)));
}

// The matrix is the all-ones matrix plus the diagonal [-2, 1, 2, 1/2, 3, 4,
// -1/2, -3, -4, 2^-8, 1/4, 1/8, 2^-27, -2^-8, -1/16, -2^-27]
// (docs/engines/whir.md, section 2).
fn partial_round(s: State, round: u32) -> State {
  let others = add4(add4(vec4<u32>(0u, s.a.yzw), s.b), add4(s.c, s.d));
  let rest = add(add(others.x, others.y), add(others.z, others.w));
  let x = add(s.a.x, kPartialConstants[round]);
  let x2 = mul(x, x);
  let s0 = mul(mul(x2, x2), mul(x2, x));
  let sum = add(rest, s0);
  // Twice, three and four times; the signs are those of the diagonal.
  let d2 = add(s.c.x, s.c.x);
  let d4 = add(add(s.a.y, s.a.y), s.a.y);
  let d5 = add(s.b.y, s.b.y);
  let d7 = add(add(s.d.y, s.d.y), s.d.y);
  let d8 = add(s.a.z, s.a.z);
  let plus = vec4<u32>(sum);
  let first = add4(
      plus, vec4<u32>(s.b.x, d2, divide(s.d.x, 1u), d4));
  let second = add4(
      plus, vec4<u32>(add(d5, d5), divide(s.b.z, 8u), divide(s.c.z, 2u),
                      divide(s.d.z, 3u)));
  let third = sub4(
      plus, vec4<u32>(divide(s.c.y, 1u), d7, add(d8, d8),
                      divide(s.b.w, 8u)));
  let fourth = sub4(
      vec4<u32>(rest, plus.xyz),
      vec4<u32>(s0, divide(s.c.w, 4u), divide(s.d.w, 27u), 0u));
  let s12 = add(sum, divide(s.a.w, 27u));
  return State(vec4<u32>(fourth.x, first.w, third.z, s12),
               vec4<u32>(first.x, second.x, second.y, third.w),
               vec4<u32>(first.y, third.x, second.z, fourth.y),
               vec4<u32>(first.z, third.y, second.w, fourth.z));
}

fn permute(state: State) -> State {
  var s = external_layer(state);
  for (var r = 0u; r < 4u; r++) {
    s = full_round(s, r);
  }
  for (var r = 0u; r < 13u; r++) {
    s = partial_round(s, r);
  }
  for (var r = 4u; r < 8u; r++) {
    s = full_round(s, r);
  }
  return s;
}
