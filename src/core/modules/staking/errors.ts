/** Registered errors of codespace `staking` (cosmos-sdk v0.53 `x/staking/types/errors.go`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const staking = (code: number, text: string): RegisteredError => ({ codespace: 'staking', code, text });

export const stakingErrors = {
  noValidator: staking(3, 'validator does not exist'),
  operatorExists: staking(
    4,
    'validator already exist for this operator address; must use new validator operator address',
  ),
  keyExists: staking(5, 'validator already exist for this pubkey; must use new validator pubkey'),
  keyTypeNotSupported: staking(6, 'validator pubkey type is not supported'),
  jailed: staking(7, 'validator for this address is currently jailed'),
  commissionNegative: staking(9, 'commission must be positive'),
  commissionHuge: staking(10, 'commission cannot be more than 100%'),
  commissionAboveMaximum: staking(11, 'commission cannot be more than the max rate'),
  commissionUpdateTime: staking(12, 'commission cannot be changed more than once in 24h'),
  changeRateNegative: staking(13, 'commission change rate must be positive'),
  changeRateAboveMaximum: staking(14, 'commission change rate cannot be more than the max rate'),
  commissionChange: staking(15, 'commission cannot be changed more than max change rate'),
  selfDelegationBelowMinimum: staking(
    16,
    "validator's self delegation must be greater than their minimum self delegation",
  ),
  minSelfDelegationDecreased: staking(17, 'minimum self delegation cannot be decrease'),
  noDelegation: staking(19, 'no delegation for (address, validator) tuple'),
  noDelegatorForAddress: staking(21, 'delegator does not contain delegation'),
  insufficientShares: staking(22, 'insufficient delegation shares'),
  notEnoughShares: staking(24, 'not enough delegation shares'),
  maxUnbondingEntries: staking(27, 'too many unbonding delegation entries for (delegator, validator) tuple'),
  selfRedelegation: staking(29, 'cannot redelegate to the same validator'),
  tinyRedelegation: staking(30, 'too few tokens to redelegate (truncates to zero tokens)'),
  badRedelegationDestination: staking(31, 'redelegation destination validator not found'),
  transitiveRedelegation: staking(
    32,
    'redelegation to this validator already in progress; first redelegation to this validator must complete before next redelegation',
  ),
  maxRedelegationEntries: staking(
    33,
    'too many redelegation entries for (delegator, src-validator, dst-validator) tuple',
  ),
  noExchangeRate: staking(34, 'cannot delegate to validators with invalid (zero) ex-rate'),
  emptyKey: staking(39, 'empty validator public key'),
  commissionBelowMinimum: staking(40, 'commission cannot be less than min rate'),
  keyLength: staking(48, 'consensus pubkey len is invalid'),
} as const satisfies Record<string, RegisteredError>;
