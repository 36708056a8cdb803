//! BN254 over the field of `bn254_field`: the curve of arkworks, with each of its constants taken over as it is, because the
//! representation of elements is the same.

use crate::bn254_field::Fq;
use ark_bn254::Fr;
use ark_ec::{
    bn::{Bn, BnConfig, TwistType},
    models::CurveConfig,
    short_weierstrass::{Affine, Projective, SWCurveConfig},
};
use ark_ff::{AdditiveGroup, Field, Fp2, Fp2Config, Fp6, Fp6Config, Fp12Config};

pub type Fq2 = Fp2<Fq2Config>;
pub type Bn254 = Bn<Config>;
pub type G1 = Projective<G1Config>;
pub type G1Affine = Affine<G1Config>;
pub type G2Affine = Affine<G2Config>;

pub const fn fq(value: ark_bn254::Fq) -> Fq {
    Fq::new_unchecked(value.0)
}

const fn fq2(value: ark_bn254::Fq2) -> Fq2 {
    Fq2::new(fq(value.c0), fq(value.c1))
}

const fn fq2s<const N: usize>(values: &[ark_bn254::Fq2]) -> [Fq2; N] {
    let mut all = [Fq2::ZERO; N];
    let mut index = 0;
    while index < N {
        all[index] = fq2(values[index]);
        index += 1;
    }
    all
}

pub struct Fq2Config;

impl Fp2Config for Fq2Config {
    type Fp = Fq;
    const NONRESIDUE: Fq = fq(ark_bn254::Fq2Config::NONRESIDUE);
    const FROBENIUS_COEFF_FP2_C1: &'static [Fq] =
        &[fq(ark_bn254::Fq2Config::FROBENIUS_COEFF_FP2_C1[0]), fq(ark_bn254::Fq2Config::FROBENIUS_COEFF_FP2_C1[1])];

    #[inline(always)]
    fn mul_fp_by_nonresidue_in_place(element: &mut Fq) -> &mut Fq {
        element.neg_in_place()
    }
}

#[derive(Clone, Copy)]
pub struct Fq6Config;

impl Fp6Config for Fq6Config {
    type Fp2Config = Fq2Config;
    const NONRESIDUE: Fq2 = fq2(ark_bn254::Fq6Config::NONRESIDUE);
    const FROBENIUS_COEFF_FP6_C1: &'static [Fq2] = &fq2s::<6>(ark_bn254::Fq6Config::FROBENIUS_COEFF_FP6_C1);
    const FROBENIUS_COEFF_FP6_C2: &'static [Fq2] = &fq2s::<6>(ark_bn254::Fq6Config::FROBENIUS_COEFF_FP6_C2);

    /// By u + 9, with additions only.
    #[inline(always)]
    fn mul_fp2_by_nonresidue_in_place(element: &mut Fq2) -> &mut Fq2 {
        let mut nine = *element;
        nine.double_in_place().double_in_place().double_in_place();
        nine += &*element;
        *element = Fq2::new(nine.c0 - element.c1, nine.c1 + element.c0);
        element
    }
}

#[derive(Clone, Copy)]
pub struct Fq12Config;

impl Fp12Config for Fq12Config {
    type Fp6Config = Fq6Config;
    const NONRESIDUE: Fp6<Fq6Config> = Fp6::new(Fq2::ZERO, Fq2::ONE, Fq2::ZERO);
    const FROBENIUS_COEFF_FP12_C1: &'static [Fq2] = &fq2s::<12>(ark_bn254::Fq12Config::FROBENIUS_COEFF_FP12_C1);
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct G1Config;

impl CurveConfig for G1Config {
    type BaseField = Fq;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = ark_bn254::g1::Config::COFACTOR;
    const COFACTOR_INV: Fr = ark_bn254::g1::Config::COFACTOR_INV;
}

impl SWCurveConfig for G1Config {
    type ZeroFlag = ();
    const COEFF_A: Fq = Fq::ZERO;
    const COEFF_B: Fq = fq(ark_bn254::g1::Config::COEFF_B);
    const GENERATOR: G1Affine = G1Affine::new_unchecked(fq(ark_bn254::g1::G1_GENERATOR_X), fq(ark_bn254::g1::G1_GENERATOR_Y));

    #[inline(always)]
    fn mul_by_a(_: Fq) -> Fq {
        Fq::ZERO
    }

    /// The cofactor is 1.
    fn is_in_correct_subgroup_assuming_on_curve(_: &G1Affine) -> bool {
        true
    }
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct G2Config;

impl CurveConfig for G2Config {
    type BaseField = Fq2;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = ark_bn254::g2::Config::COFACTOR;
    const COFACTOR_INV: Fr = ark_bn254::g2::Config::COFACTOR_INV;
}

impl SWCurveConfig for G2Config {
    type ZeroFlag = ();
    const COEFF_A: Fq2 = Fq2::ZERO;
    const COEFF_B: Fq2 = fq2(ark_bn254::g2::Config::COEFF_B);
    const GENERATOR: G2Affine = G2Affine::new_unchecked(fq2(ark_bn254::g2::G2_GENERATOR_X), fq2(ark_bn254::g2::G2_GENERATOR_Y));

    #[inline(always)]
    fn mul_by_a(_: Fq2) -> Fq2 {
        Fq2::ZERO
    }

    /// With the curve's x and Frobenius' endomorphism: exactly in the subgroup, (x + 1) P + f(x P) + f(f(x P)) equals
    /// f(f(f(2 x P))) (sections 3 and 5.1 of eprint 2022/348).
    fn is_in_correct_subgroup_assuming_on_curve(point: &G2Affine) -> bool {
        let multiple = Self::mul_affine(point, Config::X);
        let first = frobenius(multiple);
        let second = frobenius(first);
        multiple + point + first + second == frobenius(second).double()
    }
}

/// From the twist to the curve, Frobenius, and back: in projective coordinates, whose z is mapped too.
fn frobenius(mut point: Projective<G2Config>) -> Projective<G2Config> {
    point.x.frobenius_map_in_place(1);
    point.y.frobenius_map_in_place(1);
    point.z.frobenius_map_in_place(1);
    point.x *= Config::TWIST_MUL_BY_Q_X;
    point.y *= Config::TWIST_MUL_BY_Q_Y;
    point
}

pub struct Config;

impl BnConfig for Config {
    const X: &'static [u64] = <ark_bn254::Config as BnConfig>::X;
    const X_IS_NEGATIVE: bool = <ark_bn254::Config as BnConfig>::X_IS_NEGATIVE;
    const ATE_LOOP_COUNT: &'static [i8] = <ark_bn254::Config as BnConfig>::ATE_LOOP_COUNT;
    const TWIST_TYPE: TwistType = TwistType::D;
    const TWIST_MUL_BY_Q_X: Fq2 = fq2(<ark_bn254::Config as BnConfig>::TWIST_MUL_BY_Q_X);
    const TWIST_MUL_BY_Q_Y: Fq2 = fq2(<ark_bn254::Config as BnConfig>::TWIST_MUL_BY_Q_Y);
    type Fp = Fq;
    type Fp2Config = Fq2Config;
    type Fp6Config = Fq6Config;
    type Fp12Config = Fq12Config;
    type G1Config = G1Config;
    type G2Config = G2Config;
}
