import type { EvmHooks } from '../../core/evm/engine.js';
import type { EvmJournal, PrecompileCall } from '../../core/evm/precompile-call.js';
import type { EvmState, EvmStateRead } from '../../core/evm/state.js';
import { invariant } from '../../core/errors.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { EngineMemory } from './engine-memory.js';
import type { EngineExports } from './exports.js';
import { modexp } from './modexp.js';
import { recoverAddress } from './native-crypto.js';
import { verifiesP256 } from './p256.js';
import type { UndoLog } from './undo-log.js';
import { readBe64 } from '../../core/bytes/big-endian.js';
import { concat } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';

const STOP = -1;
/** Tells the engine to return the whole trace at its end. */
const WANTS_WHOLE = 1;
const PRECOMPILE_STATUS = { success: 0, revert: 1, halt: 2, p256: 3 } as const;

/** The execution needs a precompile that this instance was created without; a new instance knows it. */
export class UnknownPrecompile extends Error {}

/** Context of the imports, set by the instance that they belong to. */
export interface ImportContext {
  readonly engine: EngineExports;
  readonly memory: EngineMemory;
  readonly journal: EvmJournal;
  readonly crypto: Crypto;
  readonly hooks: EvmHooks;
  readonly undo: UndoLog;
  /** EVM state of the running execution. */
  readonly state: EvmState;
  /** Stores the first error, which is rethrown after the engine has returned. */
  failed(error: unknown): void;
  panicked(message: string): void;
  /** Records that a piece of the running trace was streamed. */
  tookPiece(): void;
}

export type EngineImports = Readonly<Record<string, (...values: number[]) => number | void>>;

/**
 * The imports of `engine/src/host/imports.rs`. They must not throw: an exception would unwind Rust's frames without
 * running destructors. Each error is stored and answered with -1.
 */
export function createImports(context: () => ImportContext): EngineImports {
  const guarded =
    <Values extends readonly number[]>(run: (at: ImportContext, ...values: Values) => number) =>
    (...values: Values): number => {
      const at = context();
      try {
        return run(at, ...values);
      } catch (error) {
        at.failed(error);
        return STOP;
      }
    };
  return {
    account: guarded(readAccount),
    code: guarded((at, hash: number) => putScratch(at, at.state.code(at.memory.copy(hash, 32)))),
    storage: guarded(readStorage),
    block_hash: guarded((at, low: number, high: number, out: number) => {
      at.memory.put(out, at.state.blockHash(joined(low, high)));
      return 0;
    }),
    precompile: guarded(runPrecompile),
    no_blob_base_fee: guarded((at) => {
      at.state.noBlobBaseFee?.();
      throw new Error('invariant: the state of a block without a blob base fee ends what reads it');
    }),
    state_read: guarded((at, kind: number, subject: number, times: number) =>
      at.state.chargeRead?.(stateReadOf(kind, at.memory.copy(subject, kind === SLOT ? 52 : 20), times)) === false
        ? 0
        : 1,
    ),
    trace_piece: guarded((at, text: number, length: number) => {
      if (at.hooks.tracePiece?.(at.memory.lend(text, length)) !== true) return WANTS_WHOLE;
      at.tookPiece();
      return 0;
    }),
    tick: guarded((at) => (at.hooks.interrupted?.() === true ? 1 : 0)),
    ecrecover: guarded(recoverSigner),
    modexp: guarded(
      (
        at,
        base: number,
        baseLength: number,
        exponent: number,
        exponentLength: number,
        modulus: number,
        modulusLength: number,
      ) => {
        const { memory } = at;
        return putScratch(
          at,
          modexp(
            memory.copy(base, baseLength),
            memory.copy(exponent, exponentLength),
            memory.copy(modulus, modulusLength),
          ),
        );
      },
    ),
    p256: guarded(({ memory }, digest: number, signature: number, key: number) =>
      verifiesP256(memory.copy(digest, 32), memory.copy(signature, 64), memory.copy(key, 64)) ? 1 : 0,
    ),
    panic_message: (text, length) => {
      const at = context();
      at.panicked(new TextDecoder().decode(at.memory.copy(text, length)));
    },
  };
}

function readAccount({ memory, state, hooks }: ImportContext, address: number, out: number): number {
  const bytes = memory.copy(address, 20);
  const account = state.account(bytes);
  if (account === undefined) return 0;
  if (hooks.joins?.(bytes, account.codeHash) === true) throw new UnknownPrecompile('a precompile was not known before');
  memory.putU256(out, account.balance);
  memory.view().setBigUint64(out + 32, account.nonce, true);
  memory.put(out + 40, account.codeHash);
  return 1;
}

/** Kind number of a storage slot read. */
const SLOT = 5;

/**
 * `StateRead` of `engine/src/peer/state_reads.rs`. `subject` is an address of 20 bytes, then the 32 bytes of a slot.
 */
function stateReadOf(kind: number, subject: Uint8Array, times: number): EvmStateRead {
  const address = subject.slice(0, 20);
  switch (kind) {
    case 0:
      return { kind: 'contract', address };
    case 1:
      return { kind: 'account', address, times };
    case 2:
      return { kind: 'code', address, times };
    case 3:
      return { kind: 'storage', address };
    case 4:
      return { kind: 'blockHash', number: readBe64(address.subarray(12)) };
    case SLOT:
      return { kind: 'slot', address, slot: subject.slice(20) };
    default:
      throw new Error(`invariant: the engine has no read ${kind}`);
  }
}

/** Writes the signer's address as a 32-byte word. */
function recoverSigner(at: ImportContext, digest: number, from: number, parity: number, out: number): number {
  const { crypto, memory, state } = at;
  const signature = memory.copy(from, 64);
  const signer = state.impersonatedSigner?.(signature, parity);
  const word = signer
    ? concat(new Uint8Array(12), signer)
    : recoverAddress(crypto, memory.copy(digest, 32), signature, parity);
  if (word === undefined) return STOP;
  memory.put(out, word);
  return 0;
}

function readStorage({ memory, state }: ImportContext, address: number, slot: number, out: number): number {
  const value = state.storage(memory.copy(address, 20), memory.copy(slot, 32));
  if (value === undefined) return 0;
  invariant(value.length === 32, 'a slot has 32 bytes');
  memory.put(out, value);
  return 0;
}

function runPrecompile(
  at: ImportContext,
  address: number,
  caller: number,
  target: number,
  value: number,
  input: number,
  inputLength: number,
  flags: number,
  gasLow: number,
  gasHigh: number,
  mark: number,
): number {
  const { memory, undo, journal, hooks } = at;
  undo.rollBack(mark);
  const call: PrecompileCall = {
    address: memory.copy(address, 20),
    caller: memory.copy(caller, 20),
    target: memory.copy(target, 20),
    value: memory.u256(value),
    input: memory.copy(input, inputLength),
    gas: joined(gasLow, gasHigh),
    isStatic: (flags & 1) !== 0,
    isDelegate: (flags & 2) !== 0,
    isStaticCall: (flags & 4) !== 0,
    undo: (revert) => undo.push(revert),
    journal,
  };
  const run = hooks.precompiles?.get(hex(call.address));
  invariant(run !== undefined, 'the engine asks for registered precompiles only');
  const { status, gasUsed, output } = run(call);
  if (status === 'revert' || status === 'halt') undo.rollBack(mark);
  const scratch = at.engine.scratch(12 + output.length);
  memory.view().setBigUint64(scratch, gasUsed, true);
  memory.view().setUint32(scratch + 8, undo.length, true);
  memory.put(scratch + 12, output);
  return PRECOMPILE_STATUS[status];
}

function putScratch({ engine, memory }: ImportContext, bytes: Uint8Array): number {
  memory.put(engine.scratch(bytes.length), bytes);
  return bytes.length;
}

const joined = (low: number, high: number): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
