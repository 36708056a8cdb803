/**
 * Reads the fields of one RLP list in order, each with the checks and the error texts of geth's typed decoder
 * (`rlp: <what> for <Go type>, decoding into (types.<Tx>).<Field>`).
 */
import type { EvmAccessListItem } from '../evm/transaction.js';
import { bigintOfBytes } from '../bytes/big-endian.js';
import type { RlpItem } from './rlp.js';
import type { SignedAuthorization } from './transaction.js';

/** Malformed transaction bytes, with geth's text. The codec catches it. */
export class FieldError extends Error {}

/** Reads one field per call, in order; a malformed or missing field throws `FieldError`. */
export class FieldReader {
  readonly #items: readonly RlpItem[];
  readonly #name: string;
  readonly #big: string;
  #next = 0;

  /** `name` and `big`: Go types of the list and of its big integers, for error texts. */
  constructor(item: RlpItem, name: string, big: '*big.Int' | '*uint256.Int' = '*big.Int') {
    if (item instanceof Uint8Array) throw new FieldError(`rlp: expected input list for ${name}`);
    this.#items = item;
    this.#name = name;
    this.#big = big;
  }

  end(): void {
    if (this.#next < this.#items.length)
      throw new FieldError(`rlp: input list has too many elements for ${this.#name}`);
  }

  uint64(field: string): bigint {
    const bytes = this.#number('uint64', field);
    if (bytes.length > 8) throw this.#error('input string too long', 'uint64', field);
    return bigintOfBytes(bytes);
  }

  /** Reads a number below 2^256. */
  uint256(field: string): bigint {
    const bytes = this.#number(this.#big, field);
    if (bytes.length > 32) throw this.#error('value too large', this.#big, field);
    return bigintOfBytes(bytes);
  }

  bytes(field: string): Uint8Array {
    return this.#string('[]uint8', field).slice();
  }

  address(field: string): Uint8Array {
    return this.#fixed(20, 'common.Address', field);
  }

  /** Reads 20 bytes, or undefined for an empty string. */
  optionalAddress(field: string): Uint8Array | undefined {
    const bytes = this.#string('common.Address', field);
    this.#next -= bytes.length === 0 ? 0 : 1;
    return bytes.length === 0 ? undefined : this.address(field);
  }

  accessList(field: string): readonly EvmAccessListItem[] {
    return this.#list('types.AccessList', field).map((item) => {
      const tuple = new FieldReader(item, 'types.AccessTuple');
      const address = tuple.address('Address');
      const storageKeys = tuple
        .#list('[]common.Hash', 'StorageKeys')
        .map((key) => new FieldReader([key], 'common.Hash').#fixed(32, 'common.Hash', 'StorageKeys'));
      tuple.end();
      return { address, storageKeys };
    });
  }

  authorizations(field: string): readonly SignedAuthorization[] {
    return this.#list('[]types.SetCodeAuthorization', field).map((item) => {
      const tuple = new FieldReader(item, 'types.SetCodeAuthorization', '*uint256.Int');
      const chainId = tuple.uint256('ChainID');
      const address = tuple.address('Address');
      const nonce = tuple.uint64('Nonce');
      const yParity = tuple.uint64('V');
      if (yParity > 255n) throw tuple.#error('input string too long', 'uint8', 'V');
      const authorization = {
        chainId,
        address,
        nonce,
        yParity: Number(yParity),
        r: tuple.uint256('R'),
        s: tuple.uint256('S'),
      };
      tuple.end();
      return authorization;
    });
  }

  #take(): RlpItem {
    const item = this.#items[this.#next];
    if (item === undefined) throw new FieldError(`rlp: too few elements for ${this.#name}`);
    this.#next += 1;
    return item;
  }

  #string(type: string, field: string): Uint8Array {
    const item = this.#take();
    if (!(item instanceof Uint8Array)) throw this.#error('expected input string or byte', type, field);
    return item;
  }

  #list(type: string, field: string): readonly RlpItem[] {
    const item = this.#take();
    if (item instanceof Uint8Array) throw this.#error('expected input list', type, field);
    return item;
  }

  #number(type: string, field: string): Uint8Array {
    const bytes = this.#string(type, field);
    if (bytes[0] === 0) throw this.#error('non-canonical integer (leading zero bytes)', type, field);
    return bytes;
  }

  #fixed(length: number, type: string, field: string): Uint8Array {
    const bytes = this.#string(type, field);
    if (bytes.length !== length)
      throw this.#error(`input string too ${bytes.length < length ? 'short' : 'long'}`, type, field);
    return bytes.slice();
  }

  #error(what: string, type: string, field: string): FieldError {
    return new FieldError(`rlp: ${what} for ${type}, decoding into (${this.#name}).${field}`);
  }
}
