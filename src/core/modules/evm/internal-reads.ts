import { hex } from '../../bytes/hex.js';
import { delegateOfCode } from '../../evm/delegation.js';
import type { EvmStateRead } from '../../evm/state.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { getAccount, hasAccount } from '../auth/accounts.js';
import { chargeAccount, chargeBlockHash, chargeContract, chargeStorageSearch } from './internal-gas.js';
import type { ContractKind } from './precompiles/contract-kind.js';
import { getCode, getCodeHash, getStorage, isEmptyCodeHash } from './store.js';

/**
 * Charges for account reads in a call by a module. An account is charged once, and its code on first use. A missing
 * account is charged at each read (cosmos/evm v0.6 `x/vm/statedb/statedb.go` getStateObject).
 */
export class ChargedReads {
  /** Pays for precompile checks and block hashes. */
  readonly #settings: Context;
  readonly #context: Context;
  readonly #free: Context;
  readonly #kindOf: (address: Uint8Array) => ContractKind;
  /** Charged accounts by hex address; `code`: their code is charged too. */
  readonly #paid = new Map<string, { readonly code: boolean }>();
  #outermost: readonly [string, { readonly code: boolean }][] = [];

  /** `context` pays for store reads, `settings` for reading the call's parameters. */
  constructor(settings: Context, context: Context, kindOf: (address: Uint8Array) => ContractKind) {
    this.#settings = settings;
    this.#context = context;
    this.#free = withStore(context, unmetered(context.store));
    this.#kindOf = kindOf;
  }

  /**
   * Charges for the outermost call in the peer's order (cosmos/evm v0.6 `x/vm/keeper/state_transition.go`,
   * go-ethereum v1.16 `core/vm/evm.go` Call). The caller is not read when the callee is missing and not a precompile.
   */
  enter(from: Uint8Array, to: Uint8Array): void {
    const isThere = this.#read(to, true, 1);
    const kind = this.#kindOf(to);
    chargeContract(this.#settings, to, kind);
    if (!isThere) {
      this.#read(to, false, kind === undefined ? 1 : 2);
      if (kind === undefined) return;
    }
    this.#read(from, false, 1);
    const delegate = delegateOfCode(this.#codeOf(to));
    if (delegate !== undefined) this.#read(delegate, true, 1);
    this.#outermost = [...this.#paid];
  }

  /** Charges for a read by the engine. Returns false for a missing account. */
  charge(read: EvmStateRead): boolean {
    switch (read.kind) {
      case 'contract':
        chargeContract(this.#settings, read.address, this.#kindOf(read.address));
        return true;
      case 'account':
      case 'code':
        return this.#read(read.address, read.kind === 'code', read.times);
      case 'storage':
        chargeStorageSearch(this.#context, read.address);
        return true;
      case 'slot':
        getStorage(this.#context, read.address, read.slot);
        return true;
      case 'blockHash':
        chargeBlockHash(this.#settings, read.number);
        return true;
    }
  }

  /** Discards the reads of the current engine call, because it restarts. */
  restarted(): void {
    this.#paid.clear();
    for (const [name, paid] of this.#outermost) this.#paid.set(name, paid);
  }

  #read(address: Uint8Array, withCode: boolean, times: number): boolean {
    const name = hex(address);
    let paid = this.#paid.get(name);
    if (paid === undefined) {
      if (!hasAccount(this.#free, address)) {
        for (let count = 0; count < times; count += 1) getAccount(this.#context, address);
        return false;
      }
      chargeAccount(this.#context, address);
      this.#paid.set(name, (paid = { code: false }));
    }
    if (withCode && !paid.code) {
      const hash = getCodeHash(this.#free, address);
      if (!isEmptyCodeHash(hash)) getCode(this.#context, hash);
      this.#paid.set(name, { code: true });
    }
    return true;
  }

  #codeOf(address: Uint8Array): Uint8Array | undefined {
    return getCode(this.#free, getCodeHash(this.#free, address));
  }
}
