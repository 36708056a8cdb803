import { opendir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { contractOf, type Contract } from '../../core/abi/contract.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';

/** Folders in which hardhat and foundry write compiled contracts, relative to the folder of a project. */
const USUAL_FOLDERS: readonly string[] = ['artifacts', 'out'];
/** Hardhat keeps the whole input and output of the compiler there; nothing of it is an artifact. */
const LEFT_OUT: ReadonlySet<string> = new Set(['build-info', 'node_modules', 'cache']);

/** The given folders, else those of hardhat and foundry, which may be created later. */
export function artifactFolders(configured: readonly string[]): readonly string[] {
  return configured.length > 0 ? configured : USUAL_FOLDERS;
}

const NONE: readonly Contract[] = [];

/** A file by its path, with the time of its last change. */
type Files = ReadonlyMap<string, number>;

/**
 * Compiled contracts in folders and those that clients gave: read on request, a file again only when it has changed.
 */
export class Artifacts {
  readonly #crypto: Pick<Crypto, 'keccak256'>;
  readonly #folders: readonly string[];
  readonly #given: () => readonly Contract[];
  #lastGiven = NONE;
  readonly #read = new Map<string, { readonly changed: number; readonly contract: Contract | undefined }>();

  /** `given` answers another list whenever a client gave one. */
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
    const files = new Map<string, number>();
    for (const folder of this.#folders) await collect(folder, 0, files);
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

async function collect(folder: string, depth: number, files: Map<string, number>): Promise<void> {
  if (depth > FIXED_LIMITS.artifactDepth) return;
  try {
    for await (const entry of await opendir(folder)) {
      if (files.size >= FIXED_LIMITS.artifactFiles) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) await collect(path, depth + 1, files);
      else if (entry.isFile() && /(?<!\.dbg|\.metadata)\.json$/.test(entry.name)) {
        const { size, mtimeMs } = await stat(path);
        if (size <= FIXED_LIMITS.artifactBytes) files.set(path, mtimeMs);
      }
    }
  } catch {
    // A folder that is absent, or was removed meanwhile, holds no contracts.
  }
}
