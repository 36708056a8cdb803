/** Contracts whose interface a developer told this process (dev mode), by their addresses. */
import { hex, hexData } from '../../core/bytes/hex.js';
import type { Outcome } from '../../core/errors.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { ToldContract } from '../../core/verification/api.js';

interface Kept {
  readonly contract: ToldContract;
  /** keccak256 of the code that stood there. */
  readonly codeHash: string;
  readonly characters: number;
}

/** The told contracts of one process; a restart forgets them. */
export class ToldContracts {
  readonly #kept = new Map<string, Kept>();
  readonly #api: Pick<EthereumApi, 'blockNumber' | 'code'>;
  readonly #crypto: Pick<Crypto, 'keccak256'>;

  constructor(api: Pick<EthereumApi, 'blockNumber' | 'code'>, crypto: Pick<Crypto, 'keccak256'>) {
    this.#api = api;
    this.#crypto = crypto;
  }

  /**
   * Keeps what is told of an address (20 bytes), in place of what was told before; undefined forgets it. Refuses an
   * account without code, and more than `toldContracts` or `toldCharacters`.
   */
  tell(address: Uint8Array, contract: ToldContract | undefined): Outcome<undefined> {
    const key = hex(address);
    const before = this.#kept.get(key);
    this.#kept.delete(key);
    if (contract === undefined) return { ok: true, value: undefined };
    const refusal = this.#keep(key, address, contract);
    if (!refusal.ok && before !== undefined) this.#kept.set(key, before);
    return refusal;
  }

  /** The contract that was told of an address, as long as the code there is the same. */
  find(address: Uint8Array): ToldContract | undefined {
    const kept = this.#kept.get(hex(address));
    return kept !== undefined && kept.codeHash === this.#codeHash(address) ? kept.contract : undefined;
  }

  #keep(key: string, address: Uint8Array, contract: ToldContract): Outcome<undefined> {
    const codeHash = this.#codeHash(address);
    if (codeHash === undefined)
      return { ok: false, error: { code: 'invalid-params', message: `no code at ${hexData(address)}` } };
    const characters = JSON.stringify(contract).length;
    const all = [...this.#kept.values()].reduce((sum, one) => sum + one.characters, characters);
    const { toldContracts, toldCharacters } = FIXED_LIMITS;
    if (this.#kept.size >= toldContracts) return exceeded('toldContracts', toldContracts);
    if (all > toldCharacters) return exceeded('toldCharacters', toldCharacters);
    this.#kept.set(key, { contract, codeHash, characters });
    return { ok: true, value: undefined };
  }

  #codeHash(address: Uint8Array): string | undefined {
    const code = this.#api.code(address, this.#api.blockNumber());
    return code.ok && code.value.length > 0 ? hexData(this.#crypto.keccak256(code.value)) : undefined;
  }
}

function exceeded(limit: string, maximum: number): Outcome<never> {
  return { ok: false, error: { code: 'limit-exceeded', limit, maximum } };
}
