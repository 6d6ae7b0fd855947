// The quartic extension of BabyBear by X^4 - 11, in WGSL.
// SPDX-License-Identifier: Apache-2.0

//#include "assay/number/babybear.wgsl"

// Component i of a vector is the coefficient of X^i; sums are those of four
// elements.
const kEleven = 0x37ffffe9u;  // the residue of 11
const kExtOne = vec4<u32>(kOneResidue, 0u, 0u, 0u);

fn ext_mul(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
  let wrapped = mul4(b, vec4<u32>(kEleven));
  let low = add4(mul4(vec4<u32>(a.x), b),
                 mul4(vec4<u32>(a.y), vec4<u32>(wrapped.w, b.xyz)));
  let high = add4(
      mul4(vec4<u32>(a.z), vec4<u32>(wrapped.zw, b.xy)),
      mul4(vec4<u32>(a.w), vec4<u32>(wrapped.yzw, b.x)));
  return add4(low, high);
}

// By an element of the prime field.
fn ext_scale(a: vec4<u32>, b: u32) -> vec4<u32> {
  return mul4(a, vec4<u32>(b));
}
