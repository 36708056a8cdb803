/**
 * Compares compiled code with an account's code (https://docs.sourcify.dev/docs/exact-match-vs-match). An exact match
 * has an equal metadata hash, hence equal sources; a match differs only there.
 */
import { equal } from '../bytes/bytes.js';
import { bytesOfDigits } from '../bytes/hex.js';
import { asObject, isObject } from '../text/json-object.js';

export type Match = 'exact_match' | 'match';

/** Compiler output: bytes, and the places that vary between deployments. */
export interface CompiledCode {
  readonly bytes: Uint8Array;
  readonly variable: readonly { readonly start: number; readonly length: number }[];
}

const ADDRESS_BYTES = 20;
const PUSH20 = 0x73;
const LINK = /__.{36}__/g;

/**
 * Reads `evm.bytecode` or `evm.deployedBytecode` from standard JSON output. Undefined without code (interfaces), and
 * when the variable places are longer than the code: a compiler's do not overlap.
 */
export function compiledCode(json: unknown): CompiledCode | undefined {
  const { object, immutableReferences } = asObject(json) ?? {};
  if (typeof object !== 'string' || object === '') return undefined;
  const digits = object.replace(/^0x/, '');
  const links = Array.from(digits.matchAll(LINK), ({ index }) => ({ start: index / 2, length: ADDRESS_BYTES }));
  const bytes = bytesOfDigits(digits.replaceAll(LINK, '0'.repeat(2 * ADDRESS_BYTES)));
  if (bytes === undefined || bytes.length === 0) return undefined;
  const variable = [...links, ...immutablesOf(immutableReferences)];
  return variable.reduce((sum, { length }) => sum + length, 0) > bytes.length ? undefined : { bytes, variable };
}

function immutablesOf(json: unknown): CompiledCode['variable'] {
  return Object.values(asObject(json) ?? {}).flatMap((places) =>
    (Array.isArray(places) ? places : []).flatMap((place: unknown) => {
      const { start, length } = asObject(place) ?? {};
      return isCount(start) && isCount(length) ? [{ start, length }] : [];
    }),
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Compares deployed code; undefined for different code. */
export function matchRuntime(deployed: Uint8Array, compiled: CompiledCode): Match | undefined {
  if (deployed.length === 0) return undefined;
  return matchBytes(masked(deployed, compiled), masked(compiled.bytes, compiled));
}

/** Compares creation data, in which constructor arguments follow the code. */
export function matchCreation(input: Uint8Array, compiled: CompiledCode): Match | undefined {
  const { length } = compiled.bytes;
  if (input.length < length) return undefined;
  return matchBytes(masked(input.subarray(0, length), compiled), masked(compiled.bytes, compiled));
}

function matchBytes(left: Uint8Array, right: Uint8Array): Match | undefined {
  const [leftEnd, rightEnd] = [metadataStart(left), metadataStart(right)];
  if (equal(left, right)) return rightEnd === undefined ? 'match' : 'exact_match';
  if (leftEnd === undefined || rightEnd === undefined) return undefined;
  return equal(left.subarray(0, leftEnd), right.subarray(0, rightEnd)) ? 'match' : undefined;
}

/** Copy with zeros in the variable places, and in the library's own address that its code pushes first. */
function masked(bytes: Uint8Array, { bytes: compiled, variable }: CompiledCode): Uint8Array {
  const copy = bytes.slice();
  for (const { start, length } of variable) copy.fill(0, start, start + length);
  const isLibrary = compiled[0] === PUSH20 && compiled.subarray(1, 1 + ADDRESS_BYTES).every((byte) => byte === 0);
  if (isLibrary) copy.fill(0, 1, 1 + ADDRESS_BYTES);
  return copy;
}

/**
 * Start of the CBOR metadata, whose length is in the last two bytes
 * (https://docs.soliditylang.org/en/latest/metadata.html); undefined for code without it.
 */
function metadataStart(code: Uint8Array): number | undefined {
  const length = ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0);
  const start = code.length - 2 - length;
  if (length === 0 || start < 0) return undefined;
  // The CBOR map has one to four entries.
  const first = code[start] ?? 0;
  return first >= 0xa1 && first <= 0xa4 ? start : undefined;
}

/** A contract in the compiler's standard JSON output. */
export interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly metadata: string | undefined;
  readonly storageLayout: object | undefined;
  readonly creation: CompiledCode | undefined;
  readonly runtime: CompiledCode | undefined;
}

/** Contract `path:Name` in an output; undefined when it is absent. */
export function contractIn(output: unknown, identifier: string): CompiledContract | undefined {
  const at = identifier.lastIndexOf(':');
  const files = asObject(asObject(output)?.['contracts']) ?? {};
  const path = identifier.slice(0, at);
  const file = Object.hasOwn(files, path) ? asObject(files[path]) : undefined;
  const name = identifier.slice(at + 1);
  const contract = file !== undefined && Object.hasOwn(file, name) ? asObject(file[name]) : undefined;
  if (contract === undefined) return undefined;
  const evm = asObject(contract['evm']) ?? {};
  const { abi, metadata, storageLayout } = contract;
  return {
    abi: Array.isArray(abi) ? abi : [],
    metadata: typeof metadata === 'string' ? metadata : isObject(metadata) ? JSON.stringify(metadata) : undefined,
    creation: compiledCode(evm['bytecode']),
    runtime: compiledCode(evm['deployedBytecode']),
    storageLayout: asObject(storageLayout),
  };
}
