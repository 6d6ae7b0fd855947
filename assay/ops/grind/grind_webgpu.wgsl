// Forms of these kernels in WGSL: none yet.
// SPDX-License-Identifier: Apache-2.0

//#absent grind.search
