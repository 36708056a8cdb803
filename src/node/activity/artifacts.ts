import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { contractOf, type Contract } from '../../core/abi/contract.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { artifactFiles, type Files } from './artifact-files.js';

const NONE: readonly Contract[] = [];

/**
 * Compiled contracts from local folders and from clients (`hardhat_addCompilationResult`). A file is read again only
 * when it has changed.
 */
export class Artifacts {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #folders: readonly string[];
  readonly #given: () => readonly Contract[];
  #lastGiven = NONE;
  readonly #read = new Map<string, { readonly changed: number; readonly contract: Contract | undefined }>();

  /** `given` returns a new list object whenever a client has added a contract. */
  constructor(
    crypto: Pick<Crypto, 'keccak256'>,
    folders: readonly string[],
    given: () => readonly Contract[] = () => NONE,
  ) {
    this.#given = given;
    this.#crypto = crypto;
    this.#folders = folders;
  }

  /**
   * Reads all contracts; undefined if nothing has changed since the last call. Reads one file per turn of the event
   * loop, and skips unreadable files.
   */
  async load(): Promise<readonly Contract[] | undefined> {
    const files = await artifactFiles(this.#folders);
    const given = this.#given();
    let changed = this.#forgetOthers(files) || (given.length > 0 && given !== this.#lastGiven);
    this.#lastGiven = given;
    for (const [path, time] of files) {
      if (this.#read.get(path)?.changed === time) continue;
      this.#read.set(path, { changed: time, contract: await this.#contractIn(path) });
      changed = true;
    }
    if (!changed) return undefined;
    const read = [...this.#read.values()].flatMap(({ contract }) => contract ?? []);
    return [...given, ...read].slice(0, FIXED_LIMITS.artifacts);
  }

  #forgetOthers(files: Files): boolean {
    const removed = [...this.#read.keys()].filter((path) => !files.has(path));
    for (const path of removed) this.#read.delete(path);
    return removed.length > 0;
  }

  async #contractIn(path: string): Promise<Contract | undefined> {
    try {
      return contractOf(this.#crypto, JSON.parse(await readFile(path, 'utf8')), basename(path, '.json'));
    } catch {
      // The compiler may be writing it.
      return undefined;
    }
  }
}
