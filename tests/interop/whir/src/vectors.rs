//! Test vectors, one JSON file per layer.
// SPDX-License-Identifier: Apache-2.0
//! Each field element is its canonical u32; an extension
//! element is the list of its four coefficients, constant term first.

use std::fs;
use std::path::Path;

use p3_baby_bear::{
    BABYBEAR_POSEIDON2_RC_16_EXTERNAL_FINAL, BABYBEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL,
    BABYBEAR_POSEIDON2_RC_16_INTERNAL, GenericPoseidon2LinearLayersBabyBear, default_babybear_poseidon2_16,
};
use p3_challenger::fs::InteractionPattern;
use p3_challenger::{CanObserve, CanSample, CanSampleBits, CanSampleUniformBits, GrindingChallenger};
use p3_commit::{ExtensionMmcs, Mmcs};
use p3_dft::TwoAdicSubgroupDft;
use p3_field::{AlgebraIdentity, BasedVectorSpace, Field, PrimeCharacteristicRing, PrimeField32, TwoAdicField};
use p3_keccak::Keccak256Hash;
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_multilinear_util::point::Point;
use p3_multilinear_util::poly::Poly;
use p3_poseidon2::GenericPoseidon2LinearLayers;
use p3_sumcheck::strategy::{Basis, VariableOrder};
use p3_sumcheck::transcript::SumcheckShape;
use p3_symmetric::{CryptographicHasher, Permutation, PseudoCompressionFunction};
use p3_whir::{QueryOpenings, WhirConfig, WhirShape};
use serde_json::{Value, json};

use crate::traced::Traced;
use crate::{Chal, Com, Compress, EF, F, Hash, Params, Proof, challenger, mmcs, stream};

fn u(x: F) -> u32 {
    x.as_canonical_u32()
}
fn us(x: &[F]) -> Vec<u32> {
    x.iter().map(|&v| u(v)).collect()
}
fn e(x: EF) -> Vec<u32> {
    us(x.as_basis_coefficients_slice())
}
fn es(x: &[EF]) -> Vec<Vec<u32>> {
    x.iter().map(|&v| e(v)).collect()
}
fn rf(seed: u64, n: usize) -> Vec<F> {
    (0..n as u64).map(|i| stream(seed, i)).collect()
}
fn re(seed: u64, n: usize) -> Vec<EF> {
    let v = rf(seed, 4 * n);
    (0..n).map(|i| EF::from_basis_coefficients_fn(|l| v[4 * i + l])).collect()
}
fn hex(b: &[u8]) -> String {
    b.iter().map(|x| format!("{x:02x}")).collect()
}
fn save(dir: &Path, name: &str, v: &Value) {
    fs::write(dir.join(name), serde_json::to_string_pretty(v).unwrap() + "\n").expect("write vector");
}

/// Sponge stand-in that keeps what a seed absorbs.
#[derive(Default)]
struct Recorder(Vec<F>);
impl CanObserve<F> for Recorder {
    fn observe(&mut self, v: F) {
        self.0.push(v);
    }
}
fn unpack(seed: &[F]) -> Vec<u8> {
    let len = u(seed[0]) as usize;
    let mut out: Vec<u8> = seed[1..].iter().flat_map(|&x| u(x).to_le_bytes()[..3].to_vec()).collect();
    out.truncate(len);
    out
}
fn separator_json(name: &str, pattern: &InteractionPattern, rec: &Recorder) -> Value {
    json!({"name": name, "pattern_text": format!("{pattern:#}"), "pattern_keccak256": hex(&pattern.pattern_hash()),
           "seed_bytes": hex(&unpack(&rec.0)), "absorbed": us(&rec.0)})
}

fn field(dir: &Path) {
    let a = rf(11, 6);
    let b = rf(12, 6);
    let ops: Vec<_> = a
        .iter()
        .zip(&b)
        .map(|(&x, &y)| json!({"a": u(x), "b": u(y), "add": u(x + y), "sub": u(x - y), "mul": u(x * y),
            "inv_a": u(x.inverse()), "a_montgomery": u32::from_le_bytes(postcard::to_allocvec(&x).unwrap().try_into().unwrap())}))
        .collect();
    let gens: Vec<u32> = (0..=27).map(|k| u(F::two_adic_generator(k))).collect();
    save(dir, "field.json", &json!({"p": F::ORDER_U32, "generator": u(F::GENERATOR), "two_adic_generators": gens, "ops": ops}));
    let x = re(13, 4);
    let y = re(14, 4);
    let ops: Vec<_> = x
        .iter()
        .zip(&y)
        .map(|(&s, &t)| json!({"a": e(s), "b": e(t), "mul": e(s * t), "inv_a": e(s.inverse()), "sq_a": e(s.square())}))
        .collect();
    save(dir, "ext4.json", &json!({"w": 11, "ops": ops}));
    let s: Vec<_> = [0u64, 1, 7].iter().map(|&sd| json!({"seed": sd, "first": us(&rf(sd, 8))})).collect();
    save(dir, "stream.json", &json!({"streams": s, "point_n3_t0_seed7": es(crate::points(7, 3, 1)[0].as_slice())}));
}

fn hashes(dir: &Path) {
    let perm = default_babybear_poseidon2_16();
    let cases: Vec<_> = [[F::ZERO; 16], core::array::from_fn(|i| F::from_usize(i)), rf(21, 16).try_into().unwrap()]
        .into_iter()
        .map(|i: [F; 16]| json!({"in": us(&i), "out": us(&perm.permute(i))}))
        .collect();
    // Column of the internal matrix: the image of a unit vector minus the all-ones part.
    let diag: Vec<u32> = (0..16)
        .map(|i| {
            let mut s = [F::ZERO; 16];
            s[i] = F::ONE;
            GenericPoseidon2LinearLayersBabyBear::internal_linear_layer(&mut s);
            u(s[i] - F::ONE)
        })
        .collect();
    let mut ext: [F; 16] = rf(22, 16).try_into().unwrap();
    let ext_in = us(&ext);
    GenericPoseidon2LinearLayersBabyBear::external_linear_layer(&mut ext);
    save(dir, "poseidon2_16.json", &json!({
        "rc_external_initial": BABYBEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL.iter().map(|r| us(r)).collect::<Vec<_>>(),
        "rc_internal": us(&BABYBEAR_POSEIDON2_RC_16_INTERNAL),
        "rc_external_final": BABYBEAR_POSEIDON2_RC_16_EXTERNAL_FINAL.iter().map(|r| us(r)).collect::<Vec<_>>(),
        "internal_diagonal_minus_one_matrix": diag, "external_linear_layer": {"in": ext_in, "out": us(&ext)},
        "permutation": cases}));
    let h = Hash::new(perm.clone());
    let c = Compress::new(perm);
    let sponge: Vec<_> = [1usize, 7, 8, 9, 16, 17, 64]
        .iter()
        .map(|&n| { let i = rf(23, n); json!({"in": us(&i), "out": us(&h.hash_iter(i.iter().copied()))}) })
        .collect();
    let (l, r): ([F; 8], [F; 8]) = (rf(24, 8).try_into().unwrap(), rf(25, 8).try_into().unwrap());
    save(dir, "sponge.json", &json!({"hash": sponge, "compress": [{"left": us(&l), "right": us(&r), "out": us(&c.compress([l, r]))}]}));

    let m = mmcs();
    let base = RowMajorMatrix::new(rf(31, 8 * 4), 4);
    let rows: Vec<_> = (0..8).map(|i| us(&base.row_slice(i).unwrap())).collect();
    let (com, data) = m.commit_matrix(base);
    let idx = [5usize, 1, 5, 2];
    let (open, proof) = m.open_multi_batch(&idx, &data);
    let ext = RowMajorMatrix::new(re(32, 8 * 2), 2);
    let erows: Vec<_> = (0..8).map(|i| es(&ext.row_slice(i).unwrap())).collect();
    let em = ExtensionMmcs::<F, EF, _>::new(m);
    let (ecom, edata) = em.commit_matrix(ext);
    let (eopen, eproof) = em.open_multi_batch(&idx, &edata);
    save(dir, "merkle.json", &json!({
        "base": {"rows": rows, "root": us(&com.roots()[0]), "indices": idx,
            "opened": open.iter().map(|o| us(&o[0])).collect::<Vec<_>>(),
            "siblings": proof.sibling_hashes.iter().map(|d| us(d)).collect::<Vec<_>>()},
        "ext": {"rows": erows, "root": us(&ecom.roots()[0]), "indices": idx,
            "opened": eopen.iter().map(|o| es(&o[0])).collect::<Vec<_>>(),
            "siblings": eproof.sibling_hashes.iter().map(|d| us(d)).collect::<Vec<_>>()}}));
}

fn dft(dir: &Path) {
    let d = crate::Dft::default();
    let base: Vec<_> = [1usize, 2, 4, 8, 16]
        .iter()
        .map(|&n| { let i = rf(41, n); json!({"in": us(&i), "out": us(&d.dft(i))}) })
        .collect();
    let ei = re(42, 8);
    let eo = d.dft_algebra_batch(RowMajorMatrix::new(ei.clone(), 1)).values;
    let m = RowMajorMatrix::new(rf(43, 16), 2);
    let out = d.dft_batch(m.clone()).to_row_major_matrix();
    save(dir, "dft.json", &json!({"base": base, "ext": {"in": es(&ei), "out": es(&eo)},
        "batch_8x2": {"in": us(&m.values), "out": us(&out.values)}}));
}

fn multilinear(dir: &Path) {
    let f = Poly::new(rf(51, 16));
    let p = Point::new(re(52, 4));
    let z = re(53, 1)[0];
    let ex = Point::expand_from_univariate(z, 4);
    let eq = Poly::new_from_point(p.as_slice(), EF::ONE);
    let x = stream(54, 0);
    let sel: Vec<u32> = (0..16u64).map(|b| u(x.exp_u64(b))).collect();
    let sel_at_p = Point::eval_select(x, p.as_slice());
    // One hand-run sumcheck over four variables with fixed challenges.
    let mut rounds = Vec::new();
    for (name, order) in [("prefix", VariableOrder::Prefix), ("suffix", VariableOrder::Suffix)] {
        let mut a = Poly::new(re(55, 16));
        let mut w = Poly::new(re(56, 16));
        let mut sum: EF = a.as_slice().iter().zip(w.as_slice()).map(|(&s, &t)| s * t).sum();
        let mut list = Vec::new();
        for r in re(57, 4) {
            let m = order.sumcheck_coefficients(a.as_slice(), w.as_slice());
            let before = sum;
            sum = Basis::Evaluation.reduce_claim(m.c_a, m.c_inf, r, sum);
            order.fix_var(&mut a, r);
            order.fix_var(&mut w, r);
            list.push(json!({"claim": e(before), "h0": e(m.c_a), "hinf": e(m.c_inf), "r": e(r), "next_claim": e(sum),
                "f_after": es(a.as_slice()), "w_after": es(w.as_slice())}));
        }
        rounds.push(json!({"order": name, "f": es(&re(55, 16)), "w": es(&re(56, 16)), "rounds": list}));
    }
    save(dir, "multilinear.json", &json!({
        "eval": {"f": us(f.as_slice()), "point": es(p.as_slice()), "value": e(f.eval_base(&p))},
        "expand_from_univariate": {"z": e(z), "n": 4, "point": es(ex.as_slice())},
        "eq_table": {"point": es(p.as_slice()), "table": es(eq.as_slice())},
        "select": {"x": u(x), "table": sel, "point": es(p.as_slice()), "value_at_point": e(sel_at_p)},
        "sumcheck": rounds}));
}

fn transcript(dir: &Path) {
    let mut c = Traced::new(challenger());
    for v in rf(61, 5) { c.observe(v); }
    let _: F = c.sample();
    for v in rf(62, 8) { c.observe(v); }
    for _ in 0..9 { let _: F = c.sample(); }
    for v in rf(63, 11) { c.observe(v); }
    let _ = c.sample_bits(20);
    for b in [0usize, 1, 13, 27] { let _ = CanSampleUniformBits::<F>::sample_uniform_bits::<true>(&mut c, b); }
    let _ = c.grind(10);
    let _: F = c.sample();
    save(dir, "challenger.json", &json!({"ops": c.log, "state_after": us(&c.inner.sponge_state),
        "input_buffer": us(&c.inner.input_buffer), "output_buffer": us(&c.inner.output_buffer)}));

    let k = |s: &[u8]| hex(&Keccak256Hash.hash_iter(s.iter().copied()));
    let mut seps = Vec::new();
    let mut add = |name: &str, pattern: &InteractionPattern, rec: Recorder| seps.push(separator_json(name, pattern, &rec));
    let s = p3_sumcheck::layout::commitment_domain_separator::<F>();
    let mut r = Recorder::default();
    s.seed(&mut r);
    add("layout-commitment", s.pattern(), r);
    for (rounds, pow) in [(4usize, 0usize), (4, 3), (1, 0), (6, 0)] {
        let s = SumcheckShape::new(rounds, pow, Basis::Evaluation).domain_separator::<F, EF>();
        let mut r = Recorder::default();
        s.seed(&mut r);
        add(&format!("sumcheck rounds={rounds} pow={pow}"), s.pattern(), r);
    }
    for p in trace_cases().iter().map(|(_, p)| p) {
        let cfg = WhirConfig::<EF, F, Chal>::new_with_initial_claims(p.n, p.protocol(), p.points).expect("config");
        let s = WhirShape::new(&cfg, p.points).domain_separator::<F, EF>();
        let mut r = Recorder::default();
        s.seed(&mut r);
        add(&format!("whir n={} fold={} rate={} {} points={}", p.n, p.fold, p.rate, p.assumption(), p.points), s.pattern(), r);
    }
    save(dir, "domain_separators.json", &json!({
        "keccak256": [{"in": "", "out": k(b"")}, {"in": "abc", "out": k(b"abc")}],
        "algebra_id": {"base": String::from_utf8(<F as AlgebraIdentity<F>>::algebra_id()).unwrap(),
            "ext": String::from_utf8(<EF as AlgebraIdentity<F>>::algebra_id()).unwrap(),
            "base_keccak256": k(&<F as AlgebraIdentity<F>>::algebra_id()),
            "ext_keccak256": k(&<EF as AlgebraIdentity<F>>::algebra_id())},
        "separators": seps}));
}

fn base_params() -> Params {
    Params { n: 8, fold: 2, rate: 1, soundness: 2, security: 40, pow: 4, points: 1, order: 0, mode: 1, reduction: 0, seed: 7 }
}

fn trace_cases() -> Vec<(&'static str, Params)> {
    let b = base_params();
    vec![
        ("n8_f2_given", b.clone()),
        ("n8_f2_drawn_2pt", Params { mode: 0, points: 2, ..b.clone() }),
        ("n9_f3_jb", Params { n: 9, fold: 3, soundness: 1, ..b.clone() }),
        ("n9_f3_ud", Params { n: 9, fold: 3, soundness: 0, ..b.clone() }),
        ("n10_f4_r2_suffix", Params { n: 10, fold: 4, rate: 2, order: 1, ..b.clone() }),
        ("n12_f4_3pt", Params { n: 12, fold: 4, points: 3, ..b.clone() }),
        ("n7_f4_one_round", Params { n: 7, fold: 4, security: 30, ..b.clone() }),
        ("n12_f5_partial", Params { n: 12, fold: 5, ..b.clone() }),
        ("n12_f4_red3", Params { n: 12, fold: 4, reduction: 3, ..b.clone() }),
        ("n16_f4_jb90", Params { n: 16, fold: 4, soundness: 1, security: 90, pow: 16, points: 2, ..b.clone() }),
        ("n16_f4_jb100", Params { n: 16, fold: 4, soundness: 1, security: 100, pow: 16, ..b.clone() }),
        ("n16_f4_cb90", Params { n: 16, fold: 4, soundness: 2, security: 90, pow: 16, ..b }),
    ]
}

fn proof_json(com: &Com, proof: &Proof) -> Value {
    let sc = |s: &p3_sumcheck::SumcheckData<F, EF>| json!({
        "rounds": s.polynomial_evaluations.iter().map(|p| es(p)).collect::<Vec<_>>(), "pow": us(&s.pow_witnesses)});
    let op = |o: &QueryOpenings<F, EF, p3_merkle_tree::PrunedMerklePaths<F, 8>>| match o {
        QueryOpenings::Base(b) => json!({"kind": "base", "rows": b.rows.iter().map(|r| us(r)).collect::<Vec<_>>(),
            "siblings": b.proof.sibling_hashes.iter().map(|d| us(d)).collect::<Vec<_>>()}),
        QueryOpenings::Extension(b) => json!({"kind": "ext", "rows": b.rows.iter().map(|r| es(r)).collect::<Vec<_>>(),
            "siblings": b.proof.sibling_hashes.iter().map(|d| us(d)).collect::<Vec<_>>()}),
    };
    let w = &proof.whir;
    json!({
        "commitment": us(&com.roots()[0]),
        "initial_ood_answers": es(&w.initial_ood_answers),
        "initial_sumcheck": sc(&w.initial_sumcheck),
        "rounds": w.rounds.iter().map(|r| json!({
            "commitment": r.commitment.as_ref().map(|c: &Com| us(&c.roots()[0])), "ood_answers": es(&r.ood_answers),
            "pow_witness": u(r.pow_witness), "openings": op(&r.openings), "sumcheck": sc(&r.sumcheck)})).collect::<Vec<_>>(),
        "final_poly": w.final_poly.as_ref().map(|p| es(p.as_slice())),
        "final_pow_witness": u(w.final_pow_witness), "final_openings": op(&w.final_openings),
        "final_sumcheck": w.final_sumcheck.as_ref().map(sc),
        "evals": proof.evals.iter().map(|b| json!({"current": es(b.current()), "next": es(b.next())})).collect::<Vec<_>>(),
    })
}

fn traces(dir: &Path) {
    for (name, p) in trace_cases() {
        let evals = crate::poly_evals(p.seed, p.n);
        let mut pc = Traced::new(challenger());
        let (com, proof, _) = crate::prove_any(&p, &evals, &mut pc).expect(name);
        let mut vc = Traced::new(challenger());
        crate::verify_any(&p, &com, &proof, &mut vc).expect(name);
        assert_eq!(pc.log, vc.log, "{name}: both sides play one transcript");
        let bytes = crate::encode(&p, &com, &proof);
        crate::verify_file(&bytes, p.mode == 1).expect(name);
        fs::write(dir.join(format!("proof_{name}.bin")), &bytes).unwrap();
        save(dir, &format!("trace_{name}.json"), &json!({"config": crate::config_json(&p).unwrap(), "order": p.order, "mode": p.mode,
            "seed": p.seed, "transcript": pc.log, "proof": proof_json(&com, &proof)}));
    }
}

fn configs(dir: &Path) {
    let mut out = Vec::new();
    for soundness in 0..3u32 {
        for (security, pow) in [(90usize, 16usize), (100, 16), (80, 20), (110, 20)] {
            for n in [8usize, 12, 15, 16, 18, 20, 21, 22, 24, 26] {
                for fold in [1usize, 2, 3, 4, 5, 6] {
                    for rate in [1usize, 2, 3] {
                        for reduction in [0usize, fold.min(3)] {
                            let p = Params { n, fold, rate, soundness, security, pow, points: 1, order: 0, mode: 1, reduction, seed: 0 };
                            out.push(match crate::config_json(&p) {
                                Ok(v) => v,
                                Err(err) => json!({"n": n, "fold": fold, "rate": rate, "soundness": p.assumption().to_string(),
                                    "security_level": security, "pow_bits": pow, "points": 1, "reduction": reduction, "error": err}),
                            });
                        }
                    }
                }
            }
        }
    }
    fs::write(dir.join("configs.json"), serde_json::to_string(&out).unwrap().replace("},{\"commitment_ood", "},\n{\"commitment_ood")).unwrap();
}

pub fn write_all(dir: &Path) {
    fs::create_dir_all(dir).expect("create directory");
    field(dir);
    hashes(dir);
    dft(dir);
    multilinear(dir);
    transcript(dir);
    traces(dir);
    configs(dir);
    println!("vectors written to {}", dir.display());
}
