import { createPureCrypto } from '../../../src/runtime/host/crypto.js';
import type { EvmAccount, EvmState } from '../../../src/core/evm/state.js';
import type { EvmAccountChange, EvmAnswer, EvmResult } from '../../../src/core/evm/outcome.js';
import type { EvmBlock, EvmTransaction } from '../../../src/core/evm/transaction.js';
import type { EvmEngine, EvmHooks } from '../../../src/core/evm/engine.js';
import { createEngineFactory } from '../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';

export const crypto = createPureCrypto();
export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'));
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const word = (value: bigint | number): Uint8Array => fromHex(BigInt(value).toString(16).padStart(64, '0'));
export const address = (value: bigint | number): Uint8Array => word(value).slice(12);
export const asBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes) || '0'}`);
export const EMPTY_CODE_HASH = crypto.keccak256(new Uint8Array(0));
export const NO_BYTES = new Uint8Array(0);

/** Committed state in plain maps; counts reads of accounts and slots. */
export class MapState implements EvmState {
  readonly accounts = new Map<string, EvmAccount>();
  readonly codes = new Map<string, Uint8Array>();
  readonly slots = new Map<string, Map<string, Uint8Array>>();
  reads = 0;

  account(at: Uint8Array): EvmAccount | undefined {
    this.reads += 1;
    return this.accounts.get(toHex(at));
  }

  code(hash: Uint8Array): Uint8Array {
    const code = this.codes.get(toHex(hash));
    if (code === undefined) throw new Error(`no code ${toHex(hash)}`);
    return code;
  }

  storage(at: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    this.reads += 1;
    return this.slots.get(toHex(at))?.get(toHex(slot));
  }

  blockHash(number: bigint): Uint8Array {
    return crypto.keccak256(new TextEncoder().encode(number.toString()));
  }

  fund(at: Uint8Array, balance: bigint, nonce = 0n): this {
    const known = this.accounts.get(toHex(at));
    this.accounts.set(toHex(at), { balance, nonce, codeHash: known?.codeHash ?? EMPTY_CODE_HASH });
    return this;
  }

  putCode(at: Uint8Array, code: string | Uint8Array, balance = 0n): this {
    const bytes = typeof code === 'string' ? fromHex(code) : code;
    const codeHash = crypto.keccak256(bytes);
    this.codes.set(toHex(codeHash), bytes);
    this.accounts.set(toHex(at), { balance, nonce: 1n, codeHash });
    return this;
  }

  putSlot(at: Uint8Array, slot: Uint8Array, value: Uint8Array): this {
    const key = toHex(at);
    const slots = this.slots.get(key) ?? new Map<string, Uint8Array>();
    this.slots.set(key, slots);
    if (value.every((byte) => byte === 0)) slots.delete(toHex(slot));
    else slots.set(toHex(slot), value);
    return this;
  }

  slot(at: Uint8Array, slot: bigint | number): bigint {
    return asBigInt(this.slots.get(toHex(at))?.get(toHex(word(slot))) ?? NO_BYTES);
  }

  balance(at: Uint8Array): bigint {
    return this.accounts.get(toHex(at))?.balance ?? 0n;
  }

  nonce(at: Uint8Array): bigint {
    return this.accounts.get(toHex(at))?.nonce ?? 0n;
  }

  apply(changes: readonly EvmAccountChange[]): void {
    for (const change of changes) {
      const key = toHex(change.address);
      if (change.kind === 'deleted') {
        this.accounts.delete(key);
        this.slots.delete(key);
        continue;
      }
      if (change.created) this.slots.delete(key);
      this.accounts.set(key, { balance: change.balance, nonce: change.nonce, codeHash: change.codeHash });
      if (change.code !== undefined) this.codes.set(toHex(change.codeHash), change.code);
      for (const { slot, value } of change.slots) this.putSlot(change.address, slot, value);
    }
  }
}

export const SENDER = fromHex('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
export const COINBASE = address(0xc0de);

export const BLOCK: EvmBlock = {
  fork: 'osaka',
  chainId: 271828n,
  number: 1n,
  coinbase: COINBASE,
  timestamp: 1_700_000_000n,
  gasLimit: 100_000_000n,
  baseFee: 7n,
  prevRandao: new Uint8Array(32),
};

export function tx(fields: Partial<EvmTransaction> = {}): EvmTransaction {
  return {
    type: 0,
    from: SENDER,
    to: undefined,
    nonce: 0n,
    gasLimit: 1_000_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: undefined,
    value: 0n,
    data: NO_BYTES,
    accessList: [],
    authorizations: [],
    ...fields,
  };
}

export const createEngine = createEngineFactory(loadEngineModule(), crypto);

/** An engine in a block (`BLOCK` with these changes), and a state with a funded sender. */
export function world(options: { readonly block?: Partial<EvmBlock>; readonly hooks?: EvmHooks } = {}): {
  readonly engine: EvmEngine;
  readonly state: MapState;
} {
  const engine = createEngine(options.hooks);
  engine.beginBlock({ ...BLOCK, ...options.block });
  return { engine, state: new MapState().fund(SENDER, 10n ** 24n) };
}

export function executed(outcome: EvmAnswer): EvmResult {
  if (outcome.kind !== 'executed') throw new Error(`refused: ${outcome.reason} ${outcome.detail}`);
  return outcome.result;
}

/** Executes a transaction and applies its changes to the state; throws if it is refused. */
export function transact(
  at: { readonly engine: EvmEngine; readonly state: MapState },
  transaction: EvmTransaction,
  fees: 'engine' | 'host' | 'none' = 'engine',
): EvmResult {
  const outcome = at.engine.transact(at.state, transaction, { fees });
  const result = executed(outcome);
  if (outcome.kind === 'executed') at.state.apply(outcome.changes);
  return result;
}
