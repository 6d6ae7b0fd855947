//! Referee for WHIR proofs: an unmodified `p3-whir` 0.8.0 behind a command line.
// SPDX-License-Identifier: Apache-2.0
//! Also generates test vectors for each sub-layer.
//!
//!   whir-referee prove   --n N --fold F --rate R --soundness ud|jb|cb --seed S --out FILE [more]
//!   whir-referee verify  FILE...
//!   whir-referee config  --n N --fold F --rate R --soundness X          (derived parameters, JSON)
//!   whir-referee bench   --n N --fold F --rate R --soundness X --runs K (timings, one JSON line)
//!   whir-referee vectors --out DIR
//!   whir-referee tamper  FILE [--count K]      (flip one bit at K places; each must be rejected)

mod traced;
mod vectors;

use std::io::Write;
use std::time::Instant;

use p3_baby_bear::{BabyBear, Poseidon2BabyBear, default_babybear_poseidon2_16};
use p3_challenger::{CanObserve, CanSampleUniformBits, DuplexChallenger, FieldChallenger, GrindingChallenger};
use p3_commit::MultilinearPcs;
use p3_dft::Radix2DFTSmallBatch;
use p3_field::extension::BinomialExtensionField;
use p3_field::{BasedVectorSpace, Field, PrimeCharacteristicRing, PrimeField32};
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_multilinear_util::point::Point;
use p3_multilinear_util::poly::Poly;
use p3_sumcheck::layout::{Layout, PrefixProver, SuffixProver, Table};
use p3_sumcheck::{OpeningBatch, OpeningProtocol, PrescribedPointPcs, TableShape, TableSpec};
use p3_symmetric::{PaddingFreeSponge, TruncatedPermutation};
use p3_whir::parameters::{FoldingFactor, ProtocolParameters, SecurityAssumption, WhirConfig};
use p3_whir::pcs::prover::WhirProver;
use p3_whir::{PcsProof, WhirShape};

pub type F = BabyBear;
pub type EF = BinomialExtensionField<F, 4>;
pub type Perm = Poseidon2BabyBear<16>;
pub type Hash = PaddingFreeSponge<Perm, 16, 8, 8>;
pub type Compress = TruncatedPermutation<Perm, 2, 8, 16>;
pub type PackedF = <F as Field>::Packing;
pub type MyMmcs = MerkleTreeMmcs<PackedF, PackedF, Hash, Compress, 2, 8>;
pub type Com = p3_symmetric::MerkleCap<F, [F; 8]>;
pub type Dft = Radix2DFTSmallBatch<F>;
pub type Chal = DuplexChallenger<F, Perm, 16, 8>;
pub type Proof = PcsProof<F, EF, MyMmcs>;

pub const MAGIC: &[u8; 8] = b"WHIRBB08";
pub const HEADER_LEN: usize = 64;

// ---------------------------------------------------------------- deterministic instance ----

/// SplitMix64 output number `i` (0-based) of the stream with this seed, reduced mod p.
pub fn stream(seed: u64, i: u64) -> F {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(i.wrapping_add(1)));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    F::from_u32((z % F::ORDER_U32 as u64) as u32)
}

const POINT_TAG: u64 = 0x504F_494E_5453_5F31; // "POINTS_1"

/// Polynomial: `f(b) = stream(seed, b)`, b the big-endian integer of (x_0, ..., x_{n-1}).
pub fn poly_evals(seed: u64, n: usize) -> Vec<F> {
    (0..1u64 << n).map(|i| stream(seed, i)).collect()
}

/// Prescribed point `t`: coordinate `j`, limb `l` is `stream(seed ^ POINT_TAG, (t*n + j)*4 + l)`.
pub fn points(seed: u64, n: usize, count: usize) -> Vec<Point<EF>> {
    (0..count)
        .map(|t| {
            Point::new(
                (0..n)
                    .map(|j| {
                        EF::from_basis_coefficients_fn(|l| {
                            stream(seed ^ POINT_TAG, ((t * n + j) * 4 + l) as u64)
                        })
                    })
                    .collect(),
            )
        })
        .collect()
}

// ---------------------------------------------------------------- parameters ----------------

#[derive(Clone, Debug)]
pub struct Params {
    pub n: usize,
    pub fold: usize,
    pub rate: usize,
    pub soundness: u32, // 0 UD, 1 JB, 2 CB
    pub security: usize,
    pub pow: usize,
    pub points: usize,
    pub order: u32, // 0 prefix, 1 suffix
    pub mode: u32,  // 0 points drawn from the transcript, 1 prescribed points
    pub reduction: usize, // RS domain shrink of round 0 in log2; 0 = library default (1)
    pub seed: u64,
}

impl Params {
    pub fn assumption(&self) -> SecurityAssumption {
        match self.soundness {
            0 => SecurityAssumption::UniqueDecoding,
            1 => SecurityAssumption::JohnsonBound,
            2 => SecurityAssumption::CapacityBound,
            _ => panic!("soundness must be 0, 1 or 2"),
        }
    }

    pub fn protocol(&self) -> ProtocolParameters {
        let folding_factor = FoldingFactor::Constant(self.fold);
        let mut rates = Vec::new();
        if self.reduction > 0 {
            let schedule = folding_factor.compute_folding_schedule(self.n).expect("fold");
            let mut rate = self.rate;
            for (i, f) in schedule[..schedule.len() - 1].iter().enumerate() {
                let shrink = if i == 0 { self.reduction } else { 1 };
                rate = rate + f - shrink;
                rates.push(rate);
            }
        }
        ProtocolParameters {
            starting_log_inv_rate: self.rate,
            round_log_inv_rates: rates,
            folding_factor,
            soundness_type: self.assumption(),
            security_level: self.security,
            pow_bits: self.pow,
        }
    }

    pub fn opening_protocol(&self) -> OpeningProtocol {
        OpeningProtocol::new(vec![TableSpec::new(
            TableShape::new(self.n, 1),
            (0..self.points).map(|_| OpeningBatch::new(vec![0], Vec::new())).collect(),
        )])
        .pad_to_min_num_variables(self.fold.min(self.n))
    }

    pub fn header(&self) -> [u8; HEADER_LEN] {
        let mut h = [0u8; HEADER_LEN];
        h[..8].copy_from_slice(MAGIC);
        let words = [
            self.n as u32,
            self.fold as u32,
            self.rate as u32,
            self.soundness,
            self.security as u32,
            self.pow as u32,
            self.points as u32,
            self.order,
            self.mode,
            self.reduction as u32,
        ];
        for (i, w) in words.iter().enumerate() {
            h[8 + 4 * i..12 + 4 * i].copy_from_slice(&w.to_le_bytes());
        }
        h[48..56].copy_from_slice(&self.seed.to_le_bytes());
        h
    }

    pub fn from_header(h: &[u8]) -> Result<Self, String> {
        if h.len() < HEADER_LEN || &h[..8] != MAGIC {
            return Err("bad magic or short file".into());
        }
        let w = |i: usize| u32::from_le_bytes(h[8 + 4 * i..12 + 4 * i].try_into().unwrap());
        let p = Self {
            n: w(0) as usize,
            fold: w(1) as usize,
            rate: w(2) as usize,
            soundness: w(3),
            security: w(4) as usize,
            pow: w(5) as usize,
            points: w(6) as usize,
            order: w(7),
            mode: w(8),
            reduction: w(9) as usize,
            seed: u64::from_le_bytes(h[48..56].try_into().unwrap()),
        };
        if h[56..64] != [0; 8] || p.soundness > 2 || p.order > 1 || p.mode > 1 || p.n > 40 || p.points > 4096 {
            return Err("bad header field".into());
        }
        Ok(p)
    }
}

pub fn mmcs() -> MyMmcs {
    let perm = default_babybear_poseidon2_16();
    MyMmcs::new(Hash::new(perm.clone()), Compress::new(perm), 0)
}

pub fn challenger() -> Chal {
    Chal::new(default_babybear_poseidon2_16())
}

pub trait AnyChal:
    FieldChallenger<F> + GrindingChallenger<Witness = F> + CanSampleUniformBits<F> + CanObserve<Com>
{
}
impl<T> AnyChal for T where
    T: FieldChallenger<F> + GrindingChallenger<Witness = F> + CanSampleUniformBits<F> + CanObserve<Com>
{
}

/// Bind prescribed points: raw sponge absorption, before anything else enters the transcript.
pub fn bind_points<C: AnyChal>(ch: &mut C, pts: &[Point<EF>]) {
    for p in pts {
        for c in p.as_slice() {
            ch.observe_algebra_element(*c);
        }
    }
}

pub struct Timing {
    pub commit_ms: f64,
    pub open_ms: f64,
}

fn config<C: AnyChal>(p: &Params) -> Result<WhirConfig<EF, F, C>, String> {
    WhirConfig::<EF, F, C>::new_with_initial_claims(p.n, p.protocol(), p.points).map_err(|e| e.to_string())
}

pub fn prove_with<C: AnyChal, L: Layout<F, EF>>(
    p: &Params,
    evals: &[F],
    ch: &mut C,
) -> Result<(Com, Proof, Timing), String> {
    let cfg = config::<C>(p)?;
    let dft = Dft::new(1 << cfg.max_fft_size());
    let pcs = WhirProver::<EF, F, Dft, MyMmcs, C, L>::new(cfg, dft, mmcs());
    let table = Table::new(RowMajorMatrix::new(evals.to_vec(), 1 << p.n));
    let pts = points(p.seed, p.n, p.points);
    if p.mode == 1 {
        bind_points(ch, &pts);
    }
    let t0 = Instant::now();
    let witness = L::new_witness(vec![table], p.fold.min(p.n));
    let (com, data) = MultilinearPcs::<EF, C>::commit(&pcs, witness, ch).map_err(|e| e.to_string())?;
    let t1 = Instant::now();
    let proof = if p.mode == 1 {
        PrescribedPointPcs::<EF, C>::open_at(&pcs, data, &p.opening_protocol(), &pts, ch)
    } else {
        MultilinearPcs::<EF, C>::open(&pcs, data, p.opening_protocol(), ch)
    }
    .map_err(|e| e.to_string())?;
    let t2 = Instant::now();
    Ok((
        com,
        proof,
        Timing {
            commit_ms: (t1 - t0).as_secs_f64() * 1e3,
            open_ms: (t2 - t1).as_secs_f64() * 1e3,
        },
    ))
}

pub fn prove_any<C: AnyChal>(p: &Params, evals: &[F], ch: &mut C) -> Result<(Com, Proof, Timing), String> {
    if p.order == 0 {
        prove_with::<C, PrefixProver<F, EF>>(p, evals, ch)
    } else {
        prove_with::<C, SuffixProver<F, EF>>(p, evals, ch)
    }
}

pub fn verify_with<C: AnyChal, L: Layout<F, EF>>(
    p: &Params,
    com: &Com,
    proof: &Proof,
    ch: &mut C,
) -> Result<(), String> {
    let cfg = config::<C>(p)?;
    let pcs = WhirProver::<EF, F, Dft, MyMmcs, C, L>::new(cfg, Dft::new(1), mmcs());
    if p.mode == 1 {
        let pts = points(p.seed, p.n, p.points);
        bind_points(ch, &pts);
        MultilinearPcs::<EF, C>::observe_commitment(&pcs, com, ch);
        PrescribedPointPcs::<EF, C>::verify_at(&pcs, com, proof, &p.opening_protocol(), &pts, ch)
            .map(|_| ())
            .map_err(|e| format!("{e:?}"))
    } else {
        MultilinearPcs::<EF, C>::verify(&pcs, com, proof, ch, p.opening_protocol()).map_err(|e| format!("{e:?}"))
    }
}

pub fn verify_any<C: AnyChal>(p: &Params, com: &Com, proof: &Proof, ch: &mut C) -> Result<(), String> {
    if p.order == 0 {
        verify_with::<C, PrefixProver<F, EF>>(p, com, proof, ch)
    } else {
        verify_with::<C, SuffixProver<F, EF>>(p, com, proof, ch)
    }
}

pub fn encode(p: &Params, com: &Com, proof: &Proof) -> Vec<u8> {
    let mut out = p.header().to_vec();
    out.extend(postcard::to_allocvec(&(com, proof)).expect("serialise"));
    out
}

/// Full check of one file: header, strict decode (no trailing bytes, byte-identical re-encoding), proof.
pub fn verify_file(bytes: &[u8], check_claims: bool) -> Result<Params, String> {
    let p = Params::from_header(bytes)?;
    let ((com, proof), rest): ((Com, Proof), &[u8]) =
        postcard::take_from_bytes(&bytes[HEADER_LEN..]).map_err(|e| format!("decode: {e}"))?;
    if !rest.is_empty() {
        return Err(format!("{} trailing bytes", rest.len()));
    }
    if encode(&p, &com, &proof) != bytes {
        return Err("encoding is not canonical".into());
    }
    if com.num_roots() != 1 {
        return Err("commitment must hold one root".into());
    }
    let mut ch = challenger();
    // The library reports malformed input as an error; a panic is caught and counted as a rejection.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| verify_any(&p, &com, &proof, &mut ch)))
        .map_err(|_| "verifier panicked".to_string())??;
    if check_claims {
        if p.mode != 1 {
            return Err("--check-claims needs prescribed points".into());
        }
        let poly = Poly::new(poly_evals(p.seed, p.n));
        for (t, pt) in points(p.seed, p.n, p.points).iter().enumerate() {
            if poly.eval_base(pt) != proof.evals[t].current()[0] {
                return Err(format!("claim {t} is not the value of the seed's polynomial"));
            }
        }
    }
    Ok(p)
}

// ---------------------------------------------------------------- command line --------------

pub struct Args(Vec<String>);
impl Args {
    pub fn get(&self, key: &str) -> Option<&str> {
        let k = format!("--{key}");
        self.0.iter().position(|a| *a == k).and_then(|i| self.0.get(i + 1)).map(String::as_str)
    }
    pub fn num(&self, key: &str, default: usize) -> usize {
        self.get(key).map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("--{key} wants a number")))
    }
    pub fn flag(&self, key: &str) -> bool {
        self.0.iter().any(|a| *a == format!("--{key}"))
    }
    pub fn params(&self) -> Params {
        Params {
            n: self.num("n", 16),
            fold: self.num("fold", 4),
            rate: self.num("rate", 1),
            soundness: match self.get("soundness").unwrap_or("cb") {
                "ud" | "UniqueDecoding" => 0,
                "jb" | "JohnsonBound" => 1,
                "cb" | "CapacityBound" => 2,
                x => panic!("unknown soundness {x}"),
            },
            security: self.num("security", 90),
            pow: self.num("pow", 16),
            points: self.num("points", 1),
            order: match self.get("order").unwrap_or("prefix") {
                "prefix" => 0,
                "suffix" => 1,
                x => panic!("unknown order {x}"),
            },
            mode: match self.get("mode").unwrap_or("given") {
                "drawn" => 0,
                "given" => 1,
                x => panic!("unknown mode {x}"),
            },
            reduction: self.num("reduction", 0),
            seed: self.get("seed").map_or(1, |v| v.parse().expect("--seed wants a u64")),
        }
    }
}

pub fn config_json(p: &Params) -> Result<serde_json::Value, String> {
    let c = config::<Chal>(p)?;
    let rounds: Vec<_> = c
        .round_parameters()
        .iter()
        .map(|r| {
            serde_json::json!({
                "num_variables": r.num_variables, "folding_factor": r.folding_factor,
                "log_inv_rate": r.log_inv_rate, "log_domain_size": r.domain_size.ilog2(),
                "log_folded_domain_size": r.log_folded_domain_size, "num_queries": r.num_queries,
                "ood_samples": r.ood_samples, "pow_bits": r.pow_bits, "folding_pow_bits": r.folding_pow_bits,
            })
        })
        .collect();
    let f = c.final_round_config();
    let shape = WhirShape::new(&c, p.points);
    Ok(serde_json::json!({
        "n": p.n, "fold": p.fold, "rate": p.rate, "soundness": p.assumption().to_string(),
        "security_level": p.security, "pow_bits": p.pow, "points": p.points, "reduction": p.reduction,
        "folding_schedule": c.folding_schedule(), "commitment_ood_samples": c.commitment_ood_samples(),
        "starting_folding_pow_bits": c.starting_folding_pow_bits(), "rounds": rounds,
        "final": {"num_variables": f.num_variables, "folding_factor": f.folding_factor,
            "log_inv_rate": f.log_inv_rate, "log_domain_size": f.domain_size.ilog2(),
            "log_folded_domain_size": f.log_folded_domain_size, "num_queries": f.num_queries,
            "query_draws": shape.final_query_draws, "pow_bits": f.pow_bits,
            "final_sumcheck_rounds": c.final_sumcheck_rounds(), "final_folding_pow_bits": c.final_folding_pow_bits()},
    }))
}

fn main() {
    let argv: Vec<String> = std::env::args().skip(1).collect();
    let cmd = argv.first().cloned().unwrap_or_default();
    let a = Args(argv.get(1..).unwrap_or(&[]).to_vec());
    match cmd.as_str() {
        "prove" => {
            let p = a.params();
            let evals = poly_evals(p.seed, p.n);
            let (com, proof, t) = prove_any(&p, &evals, &mut challenger()).unwrap_or_else(|e| die(&e));
            let bytes = encode(&p, &com, &proof);
            let out = a.get("out").unwrap_or("whir.proof");
            std::fs::write(out, &bytes).expect("write");
            println!("{out}: {} bytes, commit {:.1} ms, open {:.1} ms", bytes.len(), t.commit_ms, t.open_ms);
        }
        "verify" => {
            let mut bad = 0;
            for f in a.0.iter().filter(|x| !x.starts_with("--")) {
                let r = std::fs::read(f).map_err(|e| e.to_string()).and_then(|b| verify_file(&b, a.flag("check-claims")));
                match r {
                    Ok(p) => println!("{f}: ACCEPT n={} fold={} rate={} {}", p.n, p.fold, p.rate, p.assumption()),
                    Err(e) => {
                        bad += 1;
                        println!("{f}: REJECT {e}");
                    }
                }
            }
            std::process::exit(i32::from(bad > 0));
        }
        "config" => match config_json(&a.params()) {
            Ok(v) => println!("{v}"),
            Err(e) => die(&e),
        },
        "tamper" => {
            std::panic::set_hook(Box::new(|_| {}));
            let bytes = std::fs::read(&a.0[0]).expect("read");
            verify_file(&bytes, false).unwrap_or_else(|e| die(&format!("the untouched file is rejected: {e}")));
            let k = a.num("count", 200);
            let mut accepted = 0;
            for i in 0..k {
                let mut b = bytes.clone();
                // Spread over the body; the seed of a drawn-mode header and the reserved bytes are skipped.
                let pos = HEADER_LEN + (i * (b.len() - HEADER_LEN)) / k;
                b[pos] ^= 1 << (i % 8);
                if verify_file(&b, false).is_ok() {
                    accepted += 1;
                    println!("ACCEPTED with byte {pos} bit {} flipped", i % 8);
                }
            }
            println!("{}: {k} single-bit changes, {accepted} accepted", a.0[0]);
            std::process::exit(i32::from(accepted > 0));
        }
        "bench" => {
            let p = a.params();
            let runs = a.num("runs", 3);
            let evals = poly_evals(p.seed, p.n);
            let (mut c, mut o, mut tot, mut v, mut cpu) = (vec![], vec![], vec![], vec![], vec![]);
            let mut size = 0;
            for _ in 0..runs {
                let c0 = cpu_ns();
                let (com, proof, t) = prove_any(&p, &evals, &mut challenger()).unwrap_or_else(|e| die(&e));
                cpu.push((cpu_ns() - c0) as f64 / 1e6);
                c.push(t.commit_ms);
                o.push(t.open_ms);
                tot.push(t.commit_ms + t.open_ms);
                size = encode(&p, &com, &proof).len() - HEADER_LEN;
                let t = Instant::now();
                verify_any(&p, &com, &proof, &mut challenger()).unwrap_or_else(|e| die(&e));
                v.push(t.elapsed().as_secs_f64() * 1e3);
            }
            let med = |x: &mut Vec<f64>| {
                x.sort_by(f64::total_cmp);
                x[x.len() / 2]
            };
            println!(
                "{{\"n\":{},\"fold\":{},\"rate\":{},\"soundness\":\"{}\",\"prove_ms\":{:.1},\"prove_min_ms\":{:.1},\"prove_cpu_ms\":{:.1},\"commit_ms\":{:.1},\"open_ms\":{:.1},\"verify_ms\":{:.2},\"bytes\":{size}}}",
                p.n, p.fold, p.rate, p.assumption(), med(&mut tot), tot[0], med(&mut cpu), med(&mut c), med(&mut o), med(&mut v)
            );
        }
        "vectors" => vectors::write_all(std::path::Path::new(a.get("out").unwrap_or("vectors"))),
        _ => {
            let _ = writeln!(std::io::stderr(), "usage: whir-referee prove|verify|config|tamper|bench|vectors ...");
            std::process::exit(2);
        }
    }
}

/// CPU time of all live threads of this process, from the kernel's scheduler statistics.
fn cpu_ns() -> u64 {
    std::fs::read_dir("/proc/self/task").map_or(0, |d| {
        d.flatten()
            .filter_map(|t| std::fs::read_to_string(t.path().join("schedstat")).ok())
            .filter_map(|s| s.split(' ').next()?.parse::<u64>().ok())
            .sum()
    })
}

fn die(e: &str) -> ! {
    eprintln!("error: {e}");
    std::process::exit(1)
}
