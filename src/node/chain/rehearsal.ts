/**
 * An upgrade on a branch of the state: scheduled, halted for, applied, and followed by blocks. Nothing is stored, so
 * the chain stays as it is and may go on meanwhile.
 */
import { create } from '@bufbuild/protobuf';
import type { Application, FinalizeBlockRequest, FinalizeBlockResult } from '../../core/application.js';
import { equal } from '../../core/bytes/bytes.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { completedUpgrades, clearPlan, getPlan, moduleVersions } from '../../core/modules/upgrade/plan-store.js';
import { scheduleUpgrade } from '../../core/modules/upgrade/schedule.js';
import { storesAfter } from '../../core/modules/upgrade/apply-block.js';
import { toHeight, toTimeNs } from '../../core/primitives.js';
import { PlanSchema } from '../../core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { CacheStore } from '../../core/state/overlay.js';
import { RangeMiss } from '../../core/state/range-miss.js';
import type { StateReader, StateWrite } from '../../core/state/state.js';
import { assemble, type ApplicationOptions } from '../../core/app/assembly.js';
import { createApplication } from '../../core/app/create-application.js';

export interface RehearsalOptions {
  readonly application: Pick<ApplicationOptions, 'version' | 'chain' | 'crypto' | 'evm'>;
  /** Handlers of the version that the chain runs now. */
  readonly handlers: readonly string[];
  /** Name of the plan. */
  readonly name: string;
  /** The block of the upgrade. */
  readonly first: FinalizeBlockRequest;
  /** Number of empty blocks after it. */
  readonly blocks: number;
}

/** A key whose value after the block differs with the upgrade (`after`) from that without it (`before`). */
export interface ChangedKey {
  readonly store: string;
  readonly key: Uint8Array;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** The consensus version of a module without and with the upgrade. */
export interface ChangedVersion {
  readonly module: string;
  readonly before: bigint | undefined;
  readonly after: bigint | undefined;
}

/** `fails`: `step` is the first that went wrong. */
export type Rehearsal =
  | {
      readonly kind: 'works';
      readonly halt: string;
      readonly keys: readonly ChangedKey[];
      readonly versions: readonly ChangedVersion[];
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

/** Rehearses over the state after the last executed block; pure, so that it may run again after a missing range. */
export function createRehearsal(options: RehearsalOptions): (state: StateReader) => Rehearsal {
  const { application, handlers, name } = options;
  const present = createApplication({ ...application, handlers: new Set(handlers) });
  const next = createApplication({ ...application, handlers: new Set([name]) });
  return (state) => {
    present.forgetState();
    next.forgetState();
    try {
      return rehearse(options, present, next, state);
    } catch (error) {
      if (error instanceof StepFailed) return { kind: 'fails', step: error.step, reason: error.reason };
      throw error;
    }
  };
}

function rehearse(
  { application, name, first, blocks }: RehearsalOptions,
  present: Application,
  next: Application,
  state: StateReader,
): Rehearsal {
  const { version } = application;
  const branch = new CacheStore(state);
  step('schedule', () => {
    const { contexts } = assemble(application);
    const at = { chainId: first.chainId, height: toHeight(first.height - 1n), time: first.time };
    const planned = getPlan(state);
    const info = planned?.name === name ? planned.info : '';
    scheduleUpgrade(contexts.of(at, branch, 'block'), create(PlanSchema, { name, height: first.height, info }));
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
  const halt = halted.reason;
  const keys = changedKeys([...unchanged.writes, ...upgraded.writes], without, within);
  const versions = changedVersions(moduleVersions(without), moduleVersions(within));
  for (let made = 1n; made <= blocks; made += 1n) {
    const height = toHeight(first.height + made);
    const request = {
      ...first,
      height,
      time: toTimeNs(first.time + made * SECOND),
      txs: [],
      verified: new Set<number>(),
    };
    apply(within, executed(`block ${height}`, () => next.finalizeBlock(within, request)).writes);
  }
  return { kind: 'works', halt, keys, versions };
}

const SECOND = 1_000_000_000n;

/** Runs a step; an error of it names the step. */
function step<Value>(name: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeMiss) throw error;
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

/** The written keys whose values differ, in order of stores and keys. */
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
