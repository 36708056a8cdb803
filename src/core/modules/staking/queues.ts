/** Queues of unbondings by completion time (cosmos-sdk v0.53 `x/staking/keeper/delegation.go`, `validator.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { readBe64 } from '../../bytes/big-endian.js';
import { text } from '../../bytes/bytes.js';
import { keyAfter } from '../../bytes/key-order.js';
import { invariant } from '../../errors.js';
import { parseTime } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { StateEntry } from '../../state/state.js';
import type { Context } from '../../sdk/module/context.js';
import { accountText, operatorText, storedAccount, storedOperator } from './addresses.js';
import {
  REDELEGATION_QUEUE_PREFIX,
  redelegationQueueKey,
  STORE,
  UNBONDING_QUEUE_PREFIX,
  unbondingQueueKey,
  VALIDATOR_QUEUE_PREFIX,
  validatorQueueKey,
} from './keys.js';
import type { RedelegationPath } from './redelegations.js';
import type { Validator } from './validator.js';

/** Delegator and validator operator. */
export interface DelegationPath {
  readonly delegator: Uint8Array;
  readonly operator: Uint8Array;
}

/** Queues an unbonding delegation for a completion time. */
export function queueUnbonding(context: Context, time: TimeNs, { delegator, operator }: DelegationPath): void {
  const key = unbondingQueueKey(time);
  const value = context.store.get(STORE, key);
  const pairs = value === undefined ? create(pb.DVPairsSchema) : fromBinary(pb.DVPairsSchema, value);
  pairs.pairs.push(
    create(pb.DVPairSchema, {
      delegatorAddress: accountText(context, delegator),
      validatorAddress: operatorText(context, operator),
    }),
  );
  context.store.set(STORE, key, toBinary(pb.DVPairsSchema, pairs));
}

/** Queues a redelegation for a completion time. */
export function queueRedelegation(context: Context, time: TimeNs, path: RedelegationPath): void {
  const key = redelegationQueueKey(time);
  const value = context.store.get(STORE, key);
  const list = value === undefined ? create(pb.DVVTripletsSchema) : fromBinary(pb.DVVTripletsSchema, value);
  list.triplets.push(
    create(pb.DVVTripletSchema, {
      delegatorAddress: accountText(context, path.delegator),
      validatorSrcAddress: operatorText(context, path.source),
      validatorDstAddress: operatorText(context, path.destination),
    }),
  );
  context.store.set(STORE, key, toBinary(pb.DVVTripletsSchema, list));
}

/** Queue entries up to the current block time, read before any is deleted. */
function due({ store }: Context, start: Uint8Array, last: Uint8Array): readonly StateEntry[] {
  return [...store.range(STORE, { start, end: keyAfter(last) })];
}

/** Removes and returns the unbonding delegations that are due. */
export function takeDueUnbondings(context: Context): readonly DelegationPath[] {
  const found: DelegationPath[] = [];
  for (const { key, value } of due(context, UNBONDING_QUEUE_PREFIX, unbondingQueueKey(context.time))) {
    for (const { delegatorAddress, validatorAddress } of fromBinary(pb.DVPairsSchema, value).pairs)
      found.push({
        delegator: storedAccount(context, delegatorAddress),
        operator: storedOperator(context, validatorAddress),
      });
    context.store.delete(STORE, key);
  }
  return found;
}

/** Removes and returns the redelegations that are due. */
export function takeDueRedelegations(context: Context): readonly RedelegationPath[] {
  const found: RedelegationPath[] = [];
  for (const { key, value } of due(context, REDELEGATION_QUEUE_PREFIX, redelegationQueueKey(context.time))) {
    for (const triplet of fromBinary(pb.DVVTripletsSchema, value).triplets)
      found.push({
        delegator: storedAccount(context, triplet.delegatorAddress),
        source: storedOperator(context, triplet.validatorSrcAddress),
        destination: storedOperator(context, triplet.validatorDstAddress),
      });
    context.store.delete(STORE, key);
  }
  return found;
}

function queuedValidators(context: Context, key: Uint8Array): readonly string[] {
  const value = context.store.get(STORE, key);
  return value === undefined ? [] : fromBinary(pb.ValAddressesSchema, value).addresses;
}

function writeQueued(context: Context, key: Uint8Array, addresses: readonly string[]): void {
  context.store.set(
    STORE,
    key,
    toBinary(pb.ValAddressesSchema, create(pb.ValAddressesSchema, { addresses: [...addresses] })),
  );
}

/** Queues a validator for its unbonding time and height. */
export function queueValidator(context: Context, { operator, unbondingTime, unbondingHeight }: Validator): void {
  const key = validatorQueueKey(unbondingTime, unbondingHeight);
  writeQueued(context, key, [...queuedValidators(context, key), operatorText(context, operator)]);
}

/** Removes a validator from the queue; deletes the entry with its last validator, and an empty one. */
export function unqueueValidator(context: Context, { operator, unbondingTime, unbondingHeight }: Validator): void {
  const key = validatorQueueKey(unbondingTime, unbondingHeight);
  const own = operatorText(context, operator);
  const others = queuedValidators(context, key).filter((address) => address !== own);
  if (others.length === 0) context.store.delete(STORE, key);
  else writeQueued(context, key, others);
}

/** One entry of the validator queue. */
export interface QueuedValidators {
  readonly key: Uint8Array;
  readonly operators: readonly Uint8Array[];
}

/** Entries that are due, in order; the caller deletes them. */
export function dueValidators(context: Context): readonly QueuedValidators[] {
  const last = validatorQueueKey(context.time, context.height);
  return due(context, VALIDATOR_QUEUE_PREFIX, last).flatMap(({ key, value }) =>
    heightOfKey(key) > context.height || timeOfKey(key) > context.time
      ? []
      : [{ key, operators: fromBinary(pb.ValAddressesSchema, value).addresses.map((a) => storedOperator(context, a)) }],
  );
}

const TIME_START = 1 + 8;

function heightOfKey(key: Uint8Array): bigint {
  return readBe64(key, key.length - 8);
}

function timeOfKey(key: Uint8Array): TimeNs {
  const time = parseTime(`${text(key.subarray(TIME_START, key.length - 8))}Z`);
  invariant(time !== undefined, 'a key of the queue of validators without a time');
  return time;
}
