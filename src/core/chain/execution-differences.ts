import { upperHex } from '../bytes/hex.js';
import { equal } from '../bytes/bytes.js';
import type { StateWrite } from '../state/state.js';

/** Compares logged with computed bytes; returns one line when they differ, else none. */
export function differences(what: string, logged: Uint8Array, computed: Uint8Array): readonly string[] {
  return equal(logged, computed) ? [] : [`${what}: the log says ${short(logged)}, execution gives ${short(computed)}`];
}

/** Compares logged with computed writes; returns one line about the first difference, else none. */
export function writeDifferences(logged: readonly StateWrite[], computed: readonly StateWrite[]): readonly string[] {
  const index = Array.from({ length: Math.max(logged.length, computed.length) }).findIndex(
    (_, each) => !sameWrite(logged[each], computed[each]),
  );
  return index < 0
    ? []
    : [
        `state write ${index + 1}: the log says ${writeText(logged[index])}, execution gives ${writeText(computed[index])}`,
      ];
}

function sameWrite(left: StateWrite | undefined, right: StateWrite | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.store !== right.store || !equal(left.key, right.key)) return false;
  return left.value === undefined || right.value === undefined
    ? left.value === right.value
    : equal(left.value, right.value);
}

function writeText(write: StateWrite | undefined): string {
  if (write === undefined) return 'none';
  return `${write.store}/${short(write.key)} = ${write.value === undefined ? 'deleted' : short(write.value)}`;
}

/** Bytes of a value that a message shows. */
const SHOWN_BYTES = 48;

function short(bytes: Uint8Array): string {
  return bytes.length <= SHOWN_BYTES
    ? upperHex(bytes)
    : `${upperHex(bytes.subarray(0, SHOWN_BYTES))}... (${bytes.length} bytes)`;
}
