// Forms of these kernels in WGSL: none yet.
// SPDX-License-Identifier: Apache-2.0

//#absent product_sumcheck.round
//#absent product_sumcheck.fold
//#absent product_sumcheck.grid
//#absent product_sumcheck.fold_grid
