/** A validator as the state holds it (cosmos-sdk v0.53 `x/staking/types/validator.go`), with numbers for amounts. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { EMPTY } from '../../bytes/bytes.js';
import { fromTimestamp, toTimestamp } from '../../comet/time.js';
import { invariant } from '../../errors.js';
import type { Crypto } from '../../ports/crypto.js';
import type { TimeNs } from '../../primitives.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { consensusAddress, consensusKeyOf, operatorText, storedOperator, type Chain } from './addresses.js';

export { BondStatus } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';

/** Tokens of one unit of voting power: the validators of an EVM chain count whole coins of 18 decimals. */
export const POWER_REDUCTION = 10n ** 18n;

/** Rates have 18 decimals. */
export interface Commission {
  readonly rate: bigint;
  readonly maxRate: bigint;
  readonly maxChangeRate: bigint;
  readonly updateTime: TimeNs;
}

export interface Validator {
  readonly operator: Uint8Array;
  readonly consensusKey: Any;
  readonly jailed: boolean;
  readonly status: pb.BondStatus;
  readonly tokens: bigint;
  /** All delegators' shares together, with 18 decimals. */
  readonly shares: bigint;
  readonly description: pb.Description;
  readonly unbondingHeight: bigint;
  readonly unbondingTime: TimeNs;
  readonly commission: Commission;
  readonly minSelfDelegation: bigint;
  readonly onHold: bigint;
  readonly unbondingIds: readonly bigint[];
}

/** Checks whether a validator is in the active set. */
export function isBonded({ status }: Validator): boolean {
  return status === pb.BondStatus.BONDED;
}

/** Checks whether a validator left the active set and waits for the end of its unbonding time. */
export function isUnbonding({ status }: Validator): boolean {
  return status === pb.BondStatus.UNBONDING;
}

/** Checks whether the tokens of a validator are free. */
export function isUnbonded({ status }: Validator): boolean {
  return status === pb.BondStatus.UNBONDED;
}

/** Power that the tokens give a validator that is or becomes bonded. */
export function potentialPower({ tokens }: Pick<Validator, 'tokens'>): bigint {
  return tokens / POWER_REDUCTION;
}

/** Power of the validator in consensus: zero unless it is bonded. */
export function consensusPower(validator: Validator): bigint {
  return isBonded(validator) ? potentialPower(validator) : 0n;
}

/** Addresses by the key: a changed validator has the same object for its key. */
const addresses = new WeakMap<Any, Uint8Array>();

/** Address of the validator's consensus key (20 bytes). */
export function consensusAddressOf(crypto: Crypto, { consensusKey }: Validator): Uint8Array {
  const known = addresses.get(consensusKey);
  if (known !== undefined) return known;
  const key = consensusKeyOf(consensusKey);
  invariant(key !== undefined, 'a validator without a consensus key');
  const address = consensusAddress(crypto, key);
  addresses.set(consensusKey, address);
  return address;
}

/** The message of a validator, which clients get and the store holds. */
export function validatorMessage(chain: Chain, validator: Validator): pb.Validator {
  const { commission } = validator;
  return create(pb.ValidatorSchema, {
    operatorAddress: operatorText(chain, validator.operator),
    consensusPubkey: validator.consensusKey,
    jailed: validator.jailed,
    status: validator.status,
    tokens: validator.tokens.toString(),
    delegatorShares: validator.shares.toString(),
    description: validator.description,
    unbondingHeight: validator.unbondingHeight,
    unbondingTime: toTimestamp(validator.unbondingTime),
    commission: {
      commissionRates: {
        rate: commission.rate.toString(),
        maxRate: commission.maxRate.toString(),
        maxChangeRate: commission.maxChangeRate.toString(),
      },
      updateTime: toTimestamp(commission.updateTime),
    },
    minSelfDelegation: validator.minSelfDelegation.toString(),
    unbondingOnHoldRefCount: validator.onHold,
    unbondingIds: [...validator.unbondingIds],
  });
}

/** Amounts of the message must be integers as text. */
export function validatorOfMessage(chain: Chain, message: pb.Validator): Validator {
  const { commission } = message;
  const rates = commission?.commissionRates;
  return {
    operator: storedOperator(chain, message.operatorAddress),
    consensusKey: keyOfMessage(message),
    jailed: message.jailed,
    status: message.status,
    tokens: BigInt(message.tokens),
    shares: BigInt(message.delegatorShares),
    description: message.description ?? create(pb.DescriptionSchema),
    unbondingHeight: message.unbondingHeight,
    unbondingTime: fromTimestamp(message.unbondingTime),
    commission: {
      rate: BigInt(rates?.rate ?? 0),
      maxRate: BigInt(rates?.maxRate ?? 0),
      maxChangeRate: BigInt(rates?.maxChangeRate ?? 0),
      updateTime: fromTimestamp(commission?.updateTime),
    },
    minSelfDelegation: BigInt(message.minSelfDelegation),
    onHold: message.unbondingOnHoldRefCount,
    unbondingIds: message.unbondingIds,
  };
}

/** JSON's `Any` has a host before its type, the stored one has not. */
function keyOfMessage({ consensusPubkey }: pb.Validator): Any {
  const { typeUrl = '', value = EMPTY } = consensusPubkey ?? {};
  const key = create(AnySchema, { typeUrl: typeUrl.slice(typeUrl.lastIndexOf('/')), value });
  invariant(consensusKeyOf(key) !== undefined, 'a validator without a consensus key');
  return key;
}

/** Encodes a row of the store. */
export function encodeValidator(chain: Chain, validator: Validator): Uint8Array {
  return toBinary(pb.ValidatorSchema, validatorMessage(chain, validator));
}

/** Decodes a row of the store. */
export function decodeValidator(chain: Chain, value: Uint8Array): Validator {
  return validatorOfMessage(chain, fromBinary(pb.ValidatorSchema, value));
}
