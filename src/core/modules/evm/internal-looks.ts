import { hex } from '../../bytes/hex.js';
import { delegateOfCode } from '../../evm/delegation.js';
import type { EvmQuestion } from '../../evm/engine.js';
import { withStore, type Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { getAccount, hasAccount } from '../auth/accounts.js';
import { chargeAccount, chargeBlockHash, chargeContract, chargeStorageSearch } from './internal-gas.js';
import type { ContractKind } from './precompiles/active.js';
import { getCode, getCodeHash, getStorage, isEmptyCodeHash } from './store.js';

/**
 * What a module pays for the looks of its call at accounts. An account is paid for once, its code when it is wanted;
 * one that is not there is looked for again each time (cosmos/evm v0.6 `x/vm/statedb/statedb.go` getStateObject).
 */
export class Looks {
  readonly #context: Context;
  readonly #free: Context;
  readonly #kindOf: (address: Uint8Array) => ContractKind;
  /** Accounts that are paid for, by address in hex, and whether their code is. */
  readonly #paid = new Map<string, { readonly code: boolean }>();
  #outermost: readonly [string, { readonly code: boolean }][] = [];

  /** `context`: whose store the module pays for. */
  constructor(context: Context, kindOf: (address: Uint8Array) => ContractKind) {
    this.#context = context;
    this.#free = withStore(context, unmetered(context.store));
    this.#kindOf = kindOf;
  }

  /**
   * The call from outside, in the peer's order (cosmos/evm v0.6 `x/vm/keeper/state_transition.go`, go-ethereum v1.16
   * `core/vm/evm.go` Call). For an account that is not there and is no contract of the chain, the caller is not read.
   */
  enter(from: Uint8Array, to: Uint8Array): void {
    const isThere = this.#look(to, true, 1);
    const kind = this.#kindOf(to);
    chargeContract(this.#context, to, kind);
    if (!isThere) {
      this.#look(to, false, kind === undefined ? 1 : 2);
      if (kind === undefined) return;
    }
    this.#look(from, false, 1);
    const delegate = delegateOfCode(this.#codeOf(to));
    if (delegate !== undefined) this.#look(delegate, true, 1);
    this.#outermost = [...this.#paid];
  }

  /** Pays for what the engine asks; false for an account that is not there. */
  ask(question: EvmQuestion): boolean {
    switch (question.kind) {
      case 'contract':
        chargeContract(this.#context, question.address, this.#kindOf(question.address));
        return true;
      case 'account':
      case 'code':
        return this.#look(question.address, question.kind === 'code', question.times);
      case 'storage':
        chargeStorageSearch(this.#context, question.address);
        return true;
      case 'slot':
        getStorage(this.#context, question.address, question.slot);
        return true;
      case 'blockHash':
        chargeBlockHash(this.#context, question.number);
        return true;
    }
  }

  /** Forgets what was asked since the call from outside. */
  restarted(): void {
    this.#paid.clear();
    for (const [name, paid] of this.#outermost) this.#paid.set(name, paid);
  }

  #look(address: Uint8Array, withCode: boolean, times: number): boolean {
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
