/** State of epoch inflation (keys: evmos v3.0.0 `x/inflation/types/keys.go`). */
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { text, utf8 } from '../../bytes/bytes.js';
import type { Context } from '../../sdk/module/context.js';
import { STORE } from './params.js';

const PERIOD_KEY = Uint8Array.of(1);
const PROVISION_KEY = Uint8Array.of(2);
const IDENTIFIER_KEY = Uint8Array.of(3);
const EPOCHS_KEY = Uint8Array.of(4);
const SKIPPED_KEY = Uint8Array.of(5);

/** Counters of inflation. */
export interface InflationState {
  /** Number of completed periods. */
  readonly period: bigint;
  /** Epoch at whose end coins are minted. */
  readonly epochIdentifier: string;
  readonly epochsPerPeriod: bigint;
  /** Number of epochs that ended while inflation was disabled. */
  readonly skippedEpochs: bigint;
}

type Readable = Pick<Context, 'store'>;

const number = ({ store }: Readable, key: Uint8Array): bigint => {
  const value = store.get(STORE, key);
  return value === undefined ? 0n : readBe64(value);
};

/** Reads the counters. */
export function getState(context: Readable): InflationState {
  return {
    period: number(context, PERIOD_KEY),
    epochIdentifier: text(context.store.get(STORE, IDENTIFIER_KEY) ?? new Uint8Array()),
    epochsPerPeriod: number(context, EPOCHS_KEY),
    skippedEpochs: number(context, SKIPPED_KEY),
  };
}

/** Stores the given counters. */
export function setState({ store }: Context, change: Partial<InflationState>): void {
  if (change.period !== undefined) store.set(STORE, PERIOD_KEY, be64(change.period));
  if (change.epochIdentifier !== undefined) store.set(STORE, IDENTIFIER_KEY, utf8(change.epochIdentifier));
  if (change.epochsPerPeriod !== undefined) store.set(STORE, EPOCHS_KEY, be64(change.epochsPerPeriod));
  if (change.skippedEpochs !== undefined) store.set(STORE, SKIPPED_KEY, be64(change.skippedEpochs));
}

/** Epoch provision in units of 10^-18; undefined on a chain without the module. */
export function getProvision({ store }: Readable): bigint | undefined {
  const value = store.get(STORE, PROVISION_KEY);
  return value === undefined ? undefined : BigInt(text(value));
}

/** Stores the epoch provision in units of 10^-18. */
export function setProvision({ store }: Context, provision: bigint): void {
  store.set(STORE, PROVISION_KEY, utf8(provision.toString()));
}
