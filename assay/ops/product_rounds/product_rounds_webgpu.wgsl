// Forms of these kernels in WGSL: none, the host hashes for such devices.
// SPDX-License-Identifier: Apache-2.0

//#absent product_rounds.play
//#absent product_rounds.close
//#absent product_rounds.generate
