/**
 * Rehearses an upgrade on a branch of the state: schedules it, halts, applies it, and runs blocks, whose writes go
 * into the trees. Nothing is stored, so the chain may go on meanwhile.
 */
import { create } from '@bufbuild/protobuf';
import type { FinalizeBlockRequest, FinalizeBlockResult } from '../application-requests.js';
import { equal } from '../bytes/bytes.js';
import { toOrderedString } from '../bytes/key-order.js';
import { completedUpgrades, clearPlan, getPlan, moduleVersions } from '../modules/upgrade/plan-store.js';
import { modulesAfter, versionOver } from '../modules/upgrade/modules-of.js';
import { scheduleUpgrade } from '../modules/upgrade/schedule.js';
import { storesAfter } from '../modules/upgrade/apply-block.js';
import { versionAfter, versionOfChain } from '../sdk/module/version-of-chain.js';
import { assertInvariants } from '../sdk/module/invariants.js';
import { NS_PER_SECOND, toHeight, toTimeNs, type Height } from '../primitives.js';
import { PlanSchema } from '../proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader, StateWrite } from '../state/state.js';
import { assemble, type ApplicationOptions } from '../app/assembly.js';
import { createApplication } from '../app/create-application.js';

export interface RehearsalOptions {
  readonly application: Pick<ApplicationOptions, 'version' | 'chain' | 'crypto' | 'evm'>;
  /** Upgrade handlers of the version that the chain runs now. */
  readonly handlers: readonly string[];
  /** Name of the upgrade plan. */
  readonly name: string;
  /** Request of the block that applies the upgrade. */
  readonly first: FinalizeBlockRequest;
  /** Number of empty blocks after the upgrade block. */
  readonly blocks: number;
  /** The state after the last executed block. */
  readonly state: StateReader;
  /** Applies the writes of a block to trees of that state and returns the app hash; does not change `state`. */
  readonly commit: (height: Height, writes: readonly StateWrite[]) => Uint8Array;
  /** Receives the completed part of the steps, from 0 to 1. */
  readonly progress?: (part: number) => void;
}

/** A key whose value after the block is `after` with the upgrade and `before` without it. */
export interface ChangedKey {
  readonly store: string;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Consensus version of a module without and with the upgrade. */
export interface ChangedVersion {
  readonly module: string;
  readonly before: bigint | undefined;
  readonly after: bigint | undefined;
}

/** Outcome of a rehearsal; `step` of a failure is the first step that went wrong. */
export type Rehearsal =
  | {
      readonly kind: 'works';
      readonly halt: string;
      readonly keys: readonly ChangedKey[];
      readonly versions: readonly ChangedVersion[];
      /** App hash after the upgrade block. */
      readonly appHash: Uint8Array;
    }
  | { readonly kind: 'fails'; readonly step: string; readonly reason: string };

class StepFailed extends Error {
  constructor(
    readonly step: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Rehearses on the state after the last executed block. Checks the invariants of all modules after the upgrade block
 * and after the last block.
 */
export function rehearse(options: RehearsalOptions): Rehearsal {
  try {
    return run(options);
  } catch (error) {
    if (error instanceof StepFailed) return { kind: 'fails', step: error.step, reason: error.reason };
    throw error;
  }
}

function run({ application, handlers, name, first, blocks, state, commit, progress }: RehearsalOptions): Rehearsal {
  const version = versionOver(versionOfChain(application.version, application.chain), state);
  const present = createApplication({ ...application, handlers: new Set(handlers) });
  const next = createApplication({ ...application, handlers: new Set([name]) });
  const { contexts } = assemble({ ...application, version: versionAfter(version, name) });
  const contextOf = (request: FinalizeBlockRequest, height: Height, store: CacheStore) =>
    contexts.of({ chainId: request.chainId, height, time: request.time }, store, 'block');

  const branch = new CacheStore(state);
  step('schedule', () => {
    const planned = getPlan(state);
    const info = planned?.name === name ? planned.info : '';
    const plan = create(PlanSchema, { name, height: first.height, info });
    scheduleUpgrade(contextOf(first, toHeight(first.height - 1n), branch), plan);
  });
  const halted = step('halt', () => present.finalizeBlock(branch, first));
  if (halted.kind !== 'halted' || halted.plan.name !== name)
    throw new StepFailed('halt', 'the present version does not wait for the upgrade');
  const upgraded = executed('migrate', () => next.finalizeBlock(branch, first));
  const names = [...Array.from(completedUpgrades(state), (done) => done.name).toReversed(), name];
  const stores = new Set(storesAfter(version, names));
  const stray = upgraded.writes.find(({ store, value }) => value !== undefined && !stores.has(store));
  if (stray !== undefined)
    throw new StepFailed('stores', `the upgrade writes to the store ${stray.store} and does not add it`);

  const plain = new CacheStore(state);
  clearPlan(plain);
  const unchanged = executed('present version', () => present.finalizeBlock(plain, first));
  const without = after(plain, unchanged.writes);
  const within = after(branch, upgraded.writes);
  const keys = changedKeys([...unchanged.writes, ...upgraded.writes], without, within);
  const versions = changedVersions(moduleVersions(without), moduleVersions(within));
  const appHash = step('app hash', () => commit(first.height, upgraded.writes));
  const modules = modulesAfter(version, names);
  const check = (made: bigint) =>
    step('invariants', () => assertInvariants(contextOf(first, toHeight(first.height + made), within), modules));
  check(0n);
  const following = BigInt(blocks);
  let previousAppHash = appHash;
  for (let made = 1n; made <= following; made += 1n) {
    const height = toHeight(first.height + made);
    const time = toTimeNs(first.time + made * NS_PER_SECOND);
    const request = { ...first, height, time, txs: [], verified: new Set<number>(), previousAppHash };
    const { writes } = executed(`block ${height}`, () => next.finalizeBlock(within, request));
    apply(within, writes);
    previousAppHash = step(`app hash of block ${height}`, () => commit(height, writes));
    progress?.(blocks === 0 ? 1 : Number(made) / blocks);
  }
  if (following > 0n) check(following);
  return { kind: 'works', halt: halted.reason, keys, versions, appHash };
}

/** Runs a step and adds its name to an error. */
function step<Value>(name: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    throw new StepFailed(name, error instanceof Error ? error.message : String(error));
  }
}

function executed(name: string, run: () => FinalizeBlockResult) {
  const result = step(name, run);
  if (result.kind === 'halted') throw new StepFailed(name, result.reason);
  return result;
}

function apply(state: CacheStore, writes: readonly StateWrite[]): void {
  for (const { store, key, value } of writes) {
    if (value === undefined) state.delete(store, key);
    else state.set(store, key, value);
  }
}

function after(state: CacheStore, writes: readonly StateWrite[]): CacheStore {
  const changed = state.branch();
  apply(changed, writes);
  return changed;
}

/** Written keys whose values differ, ordered by store and key. */
function changedKeys(writes: readonly StateWrite[], without: StateReader, within: StateReader): readonly ChangedKey[] {
  const places = new Map(writes.map(({ store, key }) => [`${store}\0${toOrderedString(key)}`, { store, key }]));
  return [...places.keys()].toSorted().flatMap((place) => {
    const { store, key } = places.get(place) ?? { store: '', key: new Uint8Array() };
    const before = without.get(store, key);
    const value = within.get(store, key);
    const isSame = before === undefined || value === undefined ? before === value : equal(before, value);
    return isSame ? [] : [{ store, key, before, after: value }];
  });
}

function changedVersions(
  before: ReadonlyMap<string, bigint>,
  then: ReadonlyMap<string, bigint>,
): readonly ChangedVersion[] {
  return [...new Set([...before.keys(), ...then.keys()])]
    .toSorted()
    .map((module) => ({ module, before: before.get(module), after: then.get(module) }))
    .filter((change) => change.before !== change.after);
}
