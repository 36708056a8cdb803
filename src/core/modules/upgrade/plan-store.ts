/** State of x/upgrade (cosmos-sdk v0.53 `x/upgrade/types/keys.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { concat, equal, text, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import type { StateReader, StateStore, StateWrite } from '../../state/state.js';
import { PlanSchema, type Plan } from '../../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';

export const STORE = 'upgrade';
const PLAN_KEY = Uint8Array.of(0);
const DONE_PREFIX = Uint8Array.of(1);
const VERSION_PREFIX = Uint8Array.of(2);
const PROTOCOL_VERSION_KEY = Uint8Array.of(3);
/** Key of an authority besides gov, from `app_state.upgrade.authority`; an addition of ours, absent by default. */
const AUTHORITY_KEY = utf8('chronicle/authority');
/** Seconds of Go's zero time, which plans have in their deprecated field. */
const ZERO_TIME_SECONDS = -62135596800n;
const DONE = Uint8Array.of(1);

/** True when the deprecated field `time` is absent or Go's zero time. */
export function isZeroTime(plan: Plan): boolean {
  return plan.time === undefined || (plan.time.seconds === ZERO_TIME_SECONDS && plan.time.nanos === 0);
}

/** Scheduled plan; undefined when there is none. */
export function getPlan(store: Pick<StateReader, 'get'>): Plan | undefined {
  const value = store.get(STORE, PLAN_KEY);
  return value === undefined ? undefined : fromBinary(PlanSchema, value);
}

/** Plan after a block with these writes: `plan`, unless they schedule another one or clear it. */
export function planAfter(plan: Plan | undefined, writes: readonly StateWrite[]): Plan | undefined {
  const write = writes.find(({ store, key }) => store === STORE && equal(key, PLAN_KEY));
  if (write === undefined) return plan;
  return write.value === undefined ? undefined : fromBinary(PlanSchema, write.value);
}

/** Stores a plan, replacing a scheduled one; sets its time to Go's zero time. */
export function setPlan(store: StateStore, { name, height, info }: Plan): void {
  const time = create(TimestampSchema, { seconds: ZERO_TIME_SECONDS });
  store.set(STORE, PLAN_KEY, toBinary(PlanSchema, create(PlanSchema, { name, time, height, info })));
}

/** Deletes the scheduled plan. */
export function clearPlan(store: StateStore): void {
  store.delete(STORE, PLAN_KEY);
}

export interface Completed {
  readonly name: string;
  readonly height: bigint;
}

/** Applied upgrades, latest first. */
export function* completedUpgrades(store: StateReader): Iterable<Completed> {
  for (const { key } of store.range(STORE, prefixRange(DONE_PREFIX, true)))
    yield { height: readBe64(key, 1), name: text(key.subarray(9)) };
}

/** Last applied upgrade; undefined when there is none. */
export function lastCompleted(store: StateReader): Completed | undefined {
  for (const done of completedUpgrades(store)) return done;
  return undefined;
}

/** Name of the upgrade whose done marker is in the writes of the block at `height`; undefined for other blocks. */
export function completedIn(writes: readonly StateWrite[], height: bigint): string | undefined {
  const marker = concat(DONE_PREFIX, be64(height));
  const done = writes.find(
    ({ store, key, value }) =>
      store === STORE &&
      value !== undefined &&
      key.length > marker.length &&
      equal(key.subarray(0, marker.length), marker),
  );
  return done && text(done.key.subarray(marker.length));
}

/** Height at which an upgrade was applied; 0 when it was not. */
export function completedHeight(store: StateReader, name: string): bigint {
  for (const done of completedUpgrades(store)) if (done.name === name) return done.height;
  return 0n;
}

/** Records that an upgrade was applied at a height. */
export function setCompleted(store: StateStore, { name, height }: Completed): void {
  store.set(STORE, concat(DONE_PREFIX, be64(height), utf8(name)), DONE);
}

/** Consensus versions of all modules, in byte order of names. */
export function moduleVersions(store: StateReader): ReadonlyMap<string, bigint> {
  return new Map(
    Array.from(store.range(STORE, prefixRange(VERSION_PREFIX)), ({ key, value }) => [
      text(key.subarray(1)),
      readBe64(value),
    ]),
  );
}

/** True when the chain has a module, including those added by upgrades. */
export function hasModule(store: Pick<StateReader, 'get'>, name: string): boolean {
  return store.get(STORE, concat(VERSION_PREFIX, utf8(name))) !== undefined;
}

/** Stores the consensus version of each module, in order of names. */
export function setModuleVersions(store: StateStore, versions: ReadonlyMap<string, bigint>): void {
  for (const name of [...versions.keys()].sort())
    store.set(STORE, concat(VERSION_PREFIX, utf8(name)), be64(versions.get(name) ?? 0n));
}

/** Protocol version: the number of applied upgrades, `app_version` of abci_info. */
export function protocolVersion(store: StateReader): bigint {
  const value = store.get(STORE, PROTOCOL_VERSION_KEY);
  return value === undefined ? 0n : readBe64(value);
}

/** Stores the protocol version, which headers contain. */
export function setProtocolVersion(store: StateStore, version: bigint): void {
  store.set(STORE, PROTOCOL_VERSION_KEY, be64(version));
}

/** Bech32 address of the additional authority. */
export function getAuthority(store: StateReader): string | undefined {
  const value = store.get(STORE, AUTHORITY_KEY);
  return value === undefined ? undefined : text(value);
}

/** Stores the bech32 address of an authority besides gov. */
export function setAuthority(store: StateStore, authority: string): void {
  store.set(STORE, AUTHORITY_KEY, utf8(authority));
}

const ibcKey = (height: bigint, part: 'upgradedClient' | 'upgradedConsState'): Uint8Array =>
  utf8(`upgradedIBCState/${height}/${part}`);

/** Stores the upgraded client state for an upgrade at `height`, as an `Any`. */
export function setUpgradedClient(store: StateStore, height: bigint, state: Uint8Array): void {
  store.set(STORE, ibcKey(height, 'upgradedClient'), state);
}

/** Upgraded client state for an upgrade at `height`; undefined when IBC stored none. */
export function upgradedClient(store: StateReader, height: bigint): Uint8Array | undefined {
  return store.get(STORE, ibcKey(height, 'upgradedClient'));
}

/**
 * Stores the upgraded consensus state, by which clients verify the first block after an upgrade at `height`, as an
 * `Any`.
 */
export function setUpgradedConsensusState(store: StateStore, height: bigint, state: Uint8Array): void {
  store.set(STORE, ibcKey(height, 'upgradedConsState'), state);
}

/** Upgraded consensus state for the last height of a chain; empty when there is none. */
export function upgradedConsensusState(store: StateReader, lastHeight: bigint): Uint8Array {
  return store.get(STORE, ibcKey(lastHeight, 'upgradedConsState')) ?? new Uint8Array();
}

/** Deletes the IBC states stored for an upgrade at `height`. */
export function clearIbcState(store: StateStore, height: bigint): void {
  for (const part of ['upgradedClient', 'upgradedConsState'] as const) {
    const key = ibcKey(height, part);
    if (store.get(STORE, key) !== undefined) store.delete(STORE, key);
  }
}
