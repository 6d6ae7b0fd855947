//! A challenger that forwards to the real one and records each operation on the sponge.
// SPDX-License-Identifier: Apache-2.0

use p3_challenger::{CanObserve, CanSample, CanSampleBits, CanSampleUniformBits, FieldChallenger, GrindingChallenger, ResamplingError};
use p3_field::PrimeField32;

use crate::{Chal, F};

#[derive(Clone)]
pub struct Traced {
    pub inner: Chal,
    pub log: Vec<String>,
}

impl Traced {
    pub fn new(inner: Chal) -> Self {
        Self { inner, log: Vec::new() }
    }
    /// Runs of the same operation are joined: `o a b c` absorbs three elements.
    fn push(&mut self, op: char, v: u32) {
        let room = self.log.last().is_some_and(|l| l.starts_with(op) && l.starts_with(&format!("{op} ")));
        if room && (op == 'o' || op == 's') {
            self.log.last_mut().unwrap().push_str(&format!(" {v}"));
        } else {
            self.log.push(format!("{op} {v}"));
        }
    }
}

impl CanObserve<F> for Traced {
    fn observe(&mut self, value: F) {
        self.push('o', value.as_canonical_u32());
        self.inner.observe(value);
    }
}
impl CanObserve<p3_symmetric::MerkleCap<F, [F; 8]>> for Traced {
    fn observe(&mut self, value: p3_symmetric::MerkleCap<F, [F; 8]>) {
        for d in value.roots() {
            for x in d {
                self.push('o', x.as_canonical_u32());
            }
        }
        self.inner.observe(value);
    }
}
impl CanSample<F> for Traced {
    fn sample(&mut self) -> F {
        let v: F = self.inner.sample();
        self.push('s', v.as_canonical_u32());
        v
    }
}
impl CanSampleBits<usize> for Traced {
    fn sample_bits(&mut self, bits: usize) -> usize {
        let v = self.inner.sample_bits(bits);
        self.log.push(format!("b {bits} {v}"));
        v
    }
}
impl CanSampleUniformBits<F> for Traced {
    fn sample_uniform_bits<const R: bool>(&mut self, bits: usize) -> Result<usize, ResamplingError> {
        let v = self.inner.sample_uniform_bits::<R>(bits)?;
        self.log.push(format!("u {bits} {v}"));
        Ok(v)
    }
}
impl FieldChallenger<F> for Traced {}
impl GrindingChallenger for Traced {
    type Witness = F;
    fn grind(&mut self, bits: usize) -> F {
        let w = self.inner.grind(bits);
        self.log.push(format!("g {bits} {}", w.as_canonical_u32()));
        w
    }
    fn check_witness(&mut self, bits: usize, witness: F) -> bool {
        let ok = self.inner.check_witness(bits, witness);
        self.log.push(format!("g {bits} {}", witness.as_canonical_u32()));
        ok
    }
}
