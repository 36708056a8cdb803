import { equal } from '../../../bytes/bytes.js';
import { fromHex, hex } from '../../../bytes/hex.js';
import type { EvmAccount, EvmOverride, EvmState } from '../../../evm/state.js';
import type { EvmAccountChange } from '../../../evm/outcome.js';
import type { Crypto } from '../../../ports/crypto.js';

/** Storage of an account above the base state: changed slots, and whether base slots are still visible. */
interface Slots {
  readonly isCleared: boolean;
  readonly values: Map<string, Uint8Array>;
}

/** A state over another one with the writes of a simulation. Nothing reaches the base state. */
export class SimulatedState implements EvmState {
  readonly #below: EvmState;
  readonly #noCode: Uint8Array;
  readonly #accounts = new Map<string, EvmAccount | undefined>();
  readonly #codes = new Map<string, Uint8Array>();
  readonly #slots = new Map<string, Slots>();
  readonly #blockHashes = new Map<bigint, Uint8Array>();
  /** Accounts (hex) that changed since `takeEdits`. */
  readonly #edited = new Set<string>();

  constructor(
    below: EvmState,
    private readonly crypto: Pick<Crypto, 'keccak256'>,
  ) {
    this.#below = below;
    this.#noCode = crypto.keccak256(new Uint8Array(0));
  }

  /** Reads an account; undefined for an empty one, which does not exist (EIP-161). */
  account(address: Uint8Array): EvmAccount | undefined {
    const { balance, nonce, codeHash } = this.find(address);
    return balance === 0n && nonce === 0n && equal(codeHash, this.#noCode) ? undefined : { balance, nonce, codeHash };
  }

  /** Reads an account; an empty one when there is none. */
  find(address: Uint8Array): EvmAccount {
    const name = hex(address);
    const found = this.#accounts.has(name) ? this.#accounts.get(name) : this.#below.account(address);
    return found ?? { balance: 0n, nonce: 0n, codeHash: this.#noCode };
  }

  hasCode(address: Uint8Array): boolean {
    return !equal(this.find(address).codeHash, this.#noCode);
  }

  code(hash: Uint8Array): Uint8Array {
    return this.#codes.get(hex(hash)) ?? this.#below.code(hash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    const slots = this.#slots.get(hex(address));
    const value = slots?.values.get(hex(slot));
    if (value !== undefined) return value;
    return slots?.isCleared === true ? undefined : this.#below.storage(address, slot);
  }

  blockHash(number: bigint): Uint8Array {
    return this.#blockHashes.get(number) ?? this.#below.blockHash(number);
  }

  noBlobBaseFee(): void {
    this.#below.noBlobBaseFee?.();
  }

  setBlockHash(number: bigint, hash: Uint8Array): void {
    this.#blockHashes.set(number, hash);
  }

  setAccount(address: Uint8Array, edit: Partial<EvmAccount>): void {
    this.#edited.add(hex(address));
    this.#accounts.set(hex(address), { ...this.find(address), ...edit });
  }

  setCode(address: Uint8Array, code: Uint8Array): void {
    const codeHash = this.crypto.keccak256(code);
    this.#codes.set(hex(codeHash), code);
    this.setAccount(address, { codeHash });
  }

  setStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.#edited.add(hex(address));
    this.#slotsOf(address).values.set(hex(slot), value);
  }

  /** Applies geth's state overrides (v1.17 `internal/ethapi/override`). */
  override({ address, balance, nonce, code, storage, slots }: EvmOverride): void {
    if (nonce !== undefined) this.setAccount(address, { nonce });
    if (code !== undefined) this.setCode(address, code);
    if (balance !== undefined) this.setAccount(address, { balance });
    if (storage !== undefined) this.#clear(address);
    for (const { slot, value } of [...(storage ?? []), ...(slots ?? [])]) this.setStorage(address, slot, value);
  }

  /** Applies a change of an execution. */
  apply(change: EvmAccountChange): void {
    const { address } = change;
    if (change.kind === 'deleted') {
      this.#edited.add(hex(address));
      this.#accounts.set(hex(address), undefined);
      this.#clear(address);
      return;
    }
    const { nonce, balance, codeHash, code, slots } = change;
    if (change.created) this.#clear(address);
    if (code !== undefined) this.#codes.set(hex(codeHash), code);
    this.setAccount(address, { nonce, balance, codeHash });
    for (const { slot, value } of slots) this.setStorage(address, slot, value);
  }

  /** Accounts changed since the last call of this method, with current values, in address order. */
  takeEdits(): readonly EvmAccountChange[] {
    const names = [...this.#edited].toSorted();
    this.#edited.clear();
    return names.map((name) => {
      const address = fromHex(name);
      const account = this.account(address);
      const { isCleared = false, values } = this.#slots.get(name) ?? {};
      if (account === undefined && (values?.size ?? 0) === 0) return { kind: 'deleted', address };
      const { codeHash, ...rest } = this.find(address);
      const slots = [...(values ?? [])].map(([slot, value]) => ({ slot: fromHex(slot), value }));
      return {
        kind: 'changed',
        address,
        created: isCleared,
        ...rest,
        codeHash,
        code: this.#codes.get(hex(codeHash)),
        slots,
      };
    });
  }

  #slotsOf(address: Uint8Array): Slots {
    const known = this.#slots.get(hex(address));
    if (known !== undefined) return known;
    const slots: Slots = { isCleared: false, values: new Map() };
    this.#slots.set(hex(address), slots);
    return slots;
  }

  #clear(address: Uint8Array): void {
    this.#slots.set(hex(address), { isCleared: true, values: new Map() });
  }
}
