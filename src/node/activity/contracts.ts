import { CONSOLE_ADDRESS } from '../../core/abi/console.js';
import type { Contract } from '../../core/abi/contract.js';
import { Interfaces } from '../../core/abi/interfaces.js';
import type { Names } from '../../core/activity/names.js';
import { bytesOfDigits, hex } from '../../core/bytes/hex.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Clock } from '../../core/ports/time.js';
import { runsAlone } from '../ethereum/light-call.js';
import type { Artifacts } from './artifacts.js';
import { NS_PER_MS } from '../../core/primitives.js';

interface Known {
  readonly contract: Contract | undefined;
  /** True if the contract's code contains the address of `console.log`. */
  readonly logs: boolean;
  /** True if the contract's code calls other code. */
  readonly calls: boolean;
}

/** Solidity pushes the address without its leading zeros. */
const MARK = Buffer.from(CONSOLE_ADDRESS.subarray(9));
/** Prefix of a delegated account's code; the contract's address follows (EIP-7702). */
const DELEGATION = 'ef0100';
const READ_AGAIN_NS = BigInt(FIXED_LIMITS.artifactsRereadMs) * NS_PER_MS;

/** Identifies the contracts of a running chain by their code. */
export class ChainContracts {
  readonly interfaces: Interfaces;
  readonly #ethereum: Pick<EthereumApi, 'code' | 'blockNumber'> | undefined;
  /** Keyed by the code array, which keeps its identity while the state caches it. */
  #known = new WeakMap<Uint8Array, Known>();
  #isConsoleUsed = false;

  constructor(crypto: Pick<Crypto, 'keccak256'>, ethereum: Pick<EthereumApi, 'code' | 'blockNumber'> | undefined) {
    this.interfaces = new Interfaces(crypto);
    this.#ethereum = ethereum;
  }

  /** True if a contract that contains the address of `console.log` was seen, compiled or on the chain. */
  get isConsoleUsed(): boolean {
    return this.#isConsoleUsed;
  }

  /** Returns a function that reloads changed artifacts, if the last load is old enough. */
  follow(artifacts: Pick<Artifacts, 'load'>, clock: Clock): () => Promise<void> {
    let last: bigint | undefined;
    return async () => {
      const now = clock.now();
      if (last !== undefined && now - last < READ_AGAIN_NS) return;
      last = now;
      const contracts = await artifacts.load();
      if (contracts !== undefined) this.#changed(contracts);
    };
  }

  #changed(contracts: readonly Contract[]): void {
    this.interfaces.clear();
    this.#known = new WeakMap();
    for (const contract of contracts) {
      this.interfaces.add(contract);
      if (contract.deployed !== undefined) this.#isConsoleUsed ||= hasMark(contract.deployed.bytes);
    }
  }

  /** The contract at an address, at the head of the chain. */
  readonly contractAt: Names['contractAt'] = (address) => this.#at(address)?.contract;

  /** True when a call of `to`, or a creation by `data`, may call `console.log`. */
  mayLog(to: Uint8Array | undefined, data: Uint8Array): boolean {
    if (to === undefined) {
      const logs = hasMark(data);
      this.#isConsoleUsed ||= logs;
      return logs || this.#isConsoleUsed;
    }
    const known = this.#at(to);
    return known !== undefined && (known.logs || (known.calls && this.#isConsoleUsed));
  }

  #at(address: Uint8Array, isDelegate = false): Known | undefined {
    const code = this.#ethereum?.code(address, this.#ethereum.blockNumber());
    if (code?.ok !== true || code.value.length === 0) return undefined;
    const digits = isDelegate || code.value.length !== 23 ? '' : hex(code.value);
    const delegate = digits.startsWith(DELEGATION) ? bytesOfDigits(digits.slice(DELEGATION.length)) : undefined;
    if (delegate !== undefined) return this.#at(delegate, true);
    const before = this.#known.get(code.value);
    if (before !== undefined) return before;
    const known = {
      contract: this.interfaces.deployed(code.value),
      logs: hasMark(code.value),
      calls: !runsAlone(code.value),
    };
    this.#isConsoleUsed ||= known.logs;
    this.#known.set(code.value, known);
    return known;
  }
}

function hasMark(code: Uint8Array): boolean {
  return Buffer.from(code.buffer, code.byteOffset, code.byteLength).includes(MARK);
}
