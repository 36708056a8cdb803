/** ABI structs of staking (cosmos/evm v0.6 `precompiles/staking/StakingI.sol`). */
import { base64 } from '@scure/base';
import { fromBinary } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { hexData } from '../../bytes/hex.js';
import { PubKeySchema } from '../../proto/cosmos/crypto/ed25519/keys_pb.js';
import type * as pb from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { parseAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { checksumAddress } from '../../keys/address.js';
import type { AbiValue } from '../abi/abi-type.js';
import { listOf, text, tuple } from '../abi/compounds.js';
import { bool, int, uint, uint256 } from '../abi/words.js';

export const abiDescription = tuple({
  moniker: text,
  identity: text,
  website: text,
  securityContact: text,
  details: text,
});

export const abiValidator = tuple({
  operatorAddress: text,
  consensusPubkey: text,
  jailed: bool,
  status: uint(8),
  tokens: uint256,
  delegatorShares: uint256,
  description: abiDescription,
  unbondingHeight: int(64),
  unbondingTime: int(64),
  commission: uint256,
  minSelfDelegation: uint256,
});

const abiRedelegationEntry = tuple({
  creationHeight: int(64),
  completionTime: int(64),
  initialBalance: uint256,
  sharesDst: uint256,
});

export const abiRedelegation = tuple({
  delegatorAddress: text,
  validatorSrcAddress: text,
  validatorDstAddress: text,
  entries: listOf(abiRedelegationEntry),
});

export const abiRedelegations = listOf(
  tuple({
    redelegation: abiRedelegation,
    entries: listOf(tuple({ redelegationEntry: abiRedelegationEntry, balance: uint256 })),
  }),
);

export const abiUnbonding = tuple({
  delegatorAddress: text,
  validatorAddress: text,
  entries: listOf(
    tuple({
      creationHeight: int(64),
      completionTime: int(64),
      initialBalance: uint256,
      balance: uint256,
      unbondingId: uint(64),
      unbondingOnHoldRefCount: int(64),
    }),
  ),
});

const NO_DESCRIPTION = { moniker: '', identity: '', website: '', securityContact: '', details: '' } as const;

/** Struct of a validator that does not exist. */
export const NO_VALIDATOR: AbiValue<typeof abiValidator> = {
  operatorAddress: '',
  consensusPubkey: '',
  jailed: false,
  status: 0n,
  tokens: 0n,
  delegatorShares: 0n,
  description: NO_DESCRIPTION,
  unbondingHeight: 0n,
  unbondingTime: 0n,
  commission: 0n,
  minSelfDelegation: 0n,
};

const secondsOf = (time: Timestamp | undefined): bigint => time?.seconds ?? 0n;

/** Converts a validator; its operator becomes the hexadecimal address of the account. */
export function validatorOut(context: Context, validator: pb.Validator): AbiValue<typeof abiValidator> {
  const operator = parseAddress(`${context.chain.bech32Prefix}valoper`, validator.operatorAddress);
  if (operator === undefined) return NO_VALIDATOR;
  const { moniker, identity, website, securityContact, details } = validator.description ?? NO_DESCRIPTION;
  return {
    operatorAddress: checksumAddress(context.crypto, operator),
    consensusPubkey: keyOut(validator),
    jailed: validator.jailed,
    status: BigInt(validator.status),
    tokens: BigInt(validator.tokens),
    delegatorShares: BigInt(validator.delegatorShares),
    description: { moniker, identity, website, securityContact, details },
    unbondingHeight: validator.unbondingHeight,
    unbondingTime: secondsOf(validator.unbondingTime),
    commission: BigInt(validator.commission?.commissionRates?.rate ?? '0'),
    minSelfDelegation: BigInt(validator.minSelfDelegation),
  };
}

function keyOut({ consensusPubkey: key }: pb.Validator): string {
  if (key === undefined) return '';
  return key.typeUrl === `/${PubKeySchema.typeName}`
    ? base64.encode(fromBinary(PubKeySchema, key.value).key)
    : hexData(key.value);
}

function redelegationEntryOut(entry: pb.RedelegationEntry | undefined): AbiValue<typeof abiRedelegationEntry> {
  return {
    creationHeight: entry?.creationHeight ?? 0n,
    completionTime: secondsOf(entry?.completionTime),
    initialBalance: BigInt(entry?.initialBalance ?? '0'),
    sharesDst: BigInt(entry?.sharesDst ?? '0'),
  };
}

/** Converts a redelegation; an absent one is empty. */
export function redelegationOut(redelegation: pb.Redelegation | undefined): AbiValue<typeof abiRedelegation> {
  return {
    delegatorAddress: redelegation?.delegatorAddress ?? '',
    validatorSrcAddress: redelegation?.validatorSrcAddress ?? '',
    validatorDstAddress: redelegation?.validatorDstAddress ?? '',
    entries: (redelegation?.entries ?? []).map(redelegationEntryOut),
  };
}

/** Converts the redelegations of a query; each entry has its balance. */
export function redelegationsOut(list: readonly pb.RedelegationResponse[]): AbiValue<typeof abiRedelegations> {
  return list.map(({ redelegation, entries }) => ({
    redelegation: redelegationOut(redelegation),
    entries: entries.map(({ redelegationEntry, balance }) => ({
      redelegationEntry: redelegationEntryOut(redelegationEntry),
      balance: BigInt(balance),
    })),
  }));
}

/** Converts an unbonding delegation; times are in seconds, an absent one is empty. */
export function unbondingOut(unbonding: pb.UnbondingDelegation | undefined): AbiValue<typeof abiUnbonding> {
  return {
    delegatorAddress: unbonding?.delegatorAddress ?? '',
    validatorAddress: unbonding?.validatorAddress ?? '',
    entries: (unbonding?.entries ?? []).map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: secondsOf(entry.completionTime),
      initialBalance: BigInt(entry.initialBalance),
      balance: BigInt(entry.balance),
      unbondingId: entry.unbondingId,
      unbondingOnHoldRefCount: entry.unbondingOnHoldRefCount,
    })),
  };
}
