/** The forms of an answer to `abci_query`. */
import type { AbciQueryAnswer, Outcome } from '../../core/node-api.js';
import type { Height } from '../../core/primitives.js';
import { prunedStateText } from '../../core/sdk/module/query-error.js';

const NOTHING = {
  code: 0,
  codespace: '',
  log: '',
  info: '',
  index: 0n,
  key: new Uint8Array(),
  value: new Uint8Array(),
  proofOps: undefined,
} as const satisfies Partial<AbciQueryAnswer>;

/** A successful answer; `parts` overrides its defaults. */
export function answered(
  height: bigint,
  value: Uint8Array,
  parts: Partial<Pick<AbciQueryAnswer, 'codespace' | 'key' | 'proofOps'>> = {},
): Outcome<AbciQueryAnswer> {
  return { ok: true, value: { ...NOTHING, height, value, ...parts } };
}

/** An `abci_query` answer with an error code of a codespace. */
export function refused(code: number, codespace: string, log: string, height = 0n): Outcome<AbciQueryAnswer> {
  return { ok: true, value: { ...NOTHING, code, codespace, log, height } };
}

/** The error for a height above the head. */
export function inFuture(): Outcome<AbciQueryAnswer> {
  return refused(26, 'sdk', 'cannot query with height in the future; please provide a valid height: invalid height');
}

/** The error for a height below zero. */
export function belowZero(): Outcome<AbciQueryAnswer> {
  return refused(18, 'sdk', 'cannot query with height < 0; please provide a valid height: invalid request');
}

/**
 * The error for a proof at height 1 or below: no header has the app hash of the genesis (cosmos-sdk v0.53
 * `baseapp/abci.go`, `handleQueryStore`).
 */
export function withoutProof(): Outcome<AbciQueryAnswer> {
  return refused(18, 'sdk', 'cannot query with proof when height <= 1; please provide a valid height: invalid request');
}

/** The error for a height whose state is pruned. */
export function pruned(height: Height, head: Height): Outcome<AbciQueryAnswer> {
  return refused(38, 'sdk', `${prunedStateText(height, head)}: not found`);
}
