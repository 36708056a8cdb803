/** Delegator starting infos, and withdraw addresses (cosmos-sdk v0.53 `x/distribution/keeper/store.go`). */
import { create } from '@bufbuild/protobuf';
import { addressKey } from '../../bytes/address-key.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { has } from '../../sdk/module/gas.js';
import { Records } from '../../state/records.js';
import { startingInfoKey, STORE, WITHDRAW_ADDRESS_PREFIX } from './keys.js';
import { convertedCodec } from '../../state/params-record.js';

type Stored = Pick<Context, 'store'>;

export interface StartingInfo {
  /** Period that ended when the delegation started. */
  readonly previousPeriod: bigint;
  /** Tokens at the start, in units of 10^-18. */
  readonly stake: bigint;
  readonly height: bigint;
}

/** Converts to the SDK's message; `stake` becomes the integer text with 18 decimals. */
export function startingInfoMessage({ previousPeriod, stake, height }: StartingInfo): pb.DelegatorStartingInfo {
  return create(pb.DelegatorStartingInfoSchema, { previousPeriod, stake: stake.toString(), height });
}

/** Converts from the SDK's message; an absent one gives zeros. */
export function startingInfoOfMessage(message: pb.DelegatorStartingInfo | undefined): StartingInfo {
  const { previousPeriod = 0n, stake = '', height = 0n } = message ?? {};
  return { previousPeriod, stake: decOfMessage(stake) ?? 0n, height };
}

export const startingInfos = new Records(
  STORE,
  convertedCodec(pb.DelegatorStartingInfoSchema, startingInfoMessage, startingInfoOfMessage),
);

/** Checks whether a delegation has a starting info, with the gas of the SDK's `Has`. */
export function hasStartingInfo({ store }: Context, operator: Uint8Array, delegator: Uint8Array): boolean {
  return has(store, STORE, startingInfoKey(operator, delegator));
}

/** Reads a starting info; zeros for an unknown delegation. */
export function getStartingInfo(context: Stored, operator: Uint8Array, delegator: Uint8Array): StartingInfo {
  return startingInfos.get(context, startingInfoKey(operator, delegator)) ?? startingInfoOfMessage(undefined);
}

/** Stores a starting info. */
export function setStartingInfo(
  context: Stored,
  operator: Uint8Array,
  delegator: Uint8Array,
  info: StartingInfo,
): void {
  startingInfos.set(context, startingInfoKey(operator, delegator), info);
}

/** Deletes the starting info of an ended delegation. */
export function deleteStartingInfo({ store }: Context, operator: Uint8Array, delegator: Uint8Array): void {
  store.delete(STORE, startingInfoKey(operator, delegator));
}

/** Account that receives a delegator's rewards; default: the delegator. */
export function withdrawAddressOf({ store }: Context, delegator: Uint8Array): Uint8Array {
  return store.get(STORE, addressKey(WITHDRAW_ADDRESS_PREFIX, delegator)) ?? delegator;
}

/** Stores a withdraw address without validation. */
export function setWithdrawAddress({ store }: Context, delegator: Uint8Array, address: Uint8Array): void {
  store.set(STORE, addressKey(WITHDRAW_ADDRESS_PREFIX, delegator), address);
}
