/** Contract ABIs that a developer set by a dev command, by address. */
import { isIdentifier } from '../../core/abi/identifier.js';
import { hexData } from '../../core/bytes/hex.js';
import type { Outcome } from '../../core/errors.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { asObject, jsonOf } from '../../core/text/json-object.js';
import type { SuppliedContract } from '../../core/verification/api.js';
import type { AddressTexts } from './address-texts.js';

/** Contract ABIs set by dev commands. An entry is valid while the code at its address is unchanged. */
export class SuppliedContracts {
  readonly #texts: AddressTexts;
  readonly #api: Pick<EthereumApi, 'blockNumber' | 'code'>;
  readonly #crypto: Pick<Crypto, 'keccak256'>;

  constructor(texts: AddressTexts, api: Pick<EthereumApi, 'blockNumber' | 'code'>, crypto: Pick<Crypto, 'keccak256'>) {
    this.#texts = texts;
    this.#api = api;
    this.#crypto = crypto;
  }

  /**
   * Stores the contract supplied for an address (20 bytes) and replaces an earlier one; undefined deletes it. Refuses
   * an account without code, and more than `suppliedContracts` or `suppliedContractCharacters`.
   */
  async set(address: Uint8Array, contract: SuppliedContract | undefined): Promise<Outcome<undefined>> {
    if (contract === undefined) {
      await this.#texts.write(address, undefined);
      return { ok: true, value: undefined };
    }
    const codeHash = this.#codeHash(address);
    if (codeHash === undefined)
      return { ok: false, error: { code: 'invalid-params', message: `no code at ${hexData(address)}` } };
    const text = JSON.stringify({ ...contract, codeHash });
    if (text.length > FIXED_LIMITS.suppliedContractCharacters) return exceeded('suppliedContractCharacters');
    const isKept = await this.#texts.write(address, text);
    return isKept ? { ok: true, value: undefined } : exceeded('suppliedContracts');
  }

  /** The entry of an address if its code is unchanged. */
  async find(address: Uint8Array): Promise<SuppliedContract | undefined> {
    const text = await this.#texts.read(address);
    const kept = text === undefined ? undefined : keptIn(text);
    return kept?.codeHash === this.#codeHash(address) ? kept?.contract : undefined;
  }

  #codeHash(address: Uint8Array): string | undefined {
    const code = this.#api.code(address, this.#api.blockNumber());
    return code.ok && code.value.length > 0 ? hexData(this.#crypto.keccak256(code.value)) : undefined;
  }
}

/** Parses a stored entry with the keccak256 of its code; undefined for another format. */
function keptIn(text: string): { readonly codeHash: unknown; readonly contract: SuppliedContract } | undefined {
  const { codeHash, name, abi, storageLayout } = asObject(jsonOf(text)) ?? {};
  if (!isIdentifier(name) || !Array.isArray(abi)) return undefined;
  return { codeHash, contract: { name, abi, storageLayout: asObject(storageLayout) } };
}

function exceeded(limit: 'suppliedContracts' | 'suppliedContractCharacters'): Outcome<never> {
  return { ok: false, error: { code: 'limit-exceeded', limit, maximum: FIXED_LIMITS[limit] } };
}
