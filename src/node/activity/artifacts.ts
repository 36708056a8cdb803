import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { contractOf, type Contract } from '../../core/abi/contract.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { artifactFiles, type Files } from './artifact-files.js';

const NONE: readonly Contract[] = [];

/**
 * Compiled contracts in folders and those that clients gave: read on request, a file again only when it has changed.
 */
export class Artifacts {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #folders: readonly string[];
  readonly #given: () => readonly Contract[];
  #lastGiven = NONE;
  readonly #read = new Map<string, { readonly changed: number; readonly contract: Contract | undefined }>();

  /** `given` returns another list whenever a client gave one. */
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
   * All contracts; undefined when no file has changed since the last call and none was given. Files are read one after
   * another, each in a turn of its own. What cannot be read is left out.
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
