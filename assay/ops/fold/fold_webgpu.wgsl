// Forms of these kernels in WGSL: none yet.
// SPDX-License-Identifier: Apache-2.0

//#absent fold.base
//#absent weights.eq
//#absent weights.select
//#absent fold.reverse
