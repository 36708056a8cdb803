/** Finds locally compiled contracts by the code of an account. */
import { basename } from 'node:path';
import { isIdentifier } from '../../core/abi/identifier.js';
import { isDeployedFrom } from '../../core/abi/contract.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Clock } from '../../core/ports/time.js';
import { asObject } from '../../core/text/json-object.js';
import { compiledCode, matchRuntime, type CompiledCode, type Match } from '../../core/verification/match-code.js';
import type { CompiledLocally } from '../../core/verification/api.js';
import { artifactFiles } from '../activity/artifact-files.js';
import { jsonIn, layoutOfBuild } from './build-info.js';
import { NS_PER_MS } from '../../core/primitives.js';

/** A hardhat or foundry artifact without its ABI, which is read again on request. */
interface Artifact {
  readonly name: string;
  readonly code: CompiledCode;
  /** True if the file has immutable references; in hardhat 2 artifacts these bytes are zeros. */
  readonly hasPlaces: boolean;
}

interface ReadFile {
  /** Time of the file's last change. */
  readonly changed: number;
  readonly artifact: Artifact | undefined;
  /** Storage layout from another file, once it was requested. */
  layout: Promise<object | undefined> | undefined;
}

/** By path. */
type Files = ReadonlyMap<string, ReadFile>;

const READ_AGAIN_NS = BigInt(FIXED_LIMITS.artifactsRereadMs) * NS_PER_MS;

/** Finds compiled contracts in folders. Files are read again if a code is not found. */
export class CompiledContracts {
  readonly #folders: readonly string[];
  readonly #clock: Clock;
  #read: Files = new Map();
  #last: bigint | undefined;
  #reading: Promise<void> | undefined;

  /** `clock`: real time. */
  constructor(folders: readonly string[], clock: Clock) {
    this.#folders = folders;
    this.#clock = clock;
  }

  /** The contract with this deployed code; undefined if it was not compiled here. */
  async find(code: Uint8Array): Promise<CompiledLocally | undefined> {
    if (code.length === 0) return undefined;
    return (await this.#known(code)) ?? ((await this.#readAgain()) ? this.#known(code) : undefined);
  }

  async #known(code: Uint8Array): Promise<CompiledLocally | undefined> {
    const matches = [...this.#read].flatMap(([path, file]) => {
      const match = file.artifact && matchOf(code, file.artifact);
      return match === undefined ? [] : [{ path, file, match }];
    });
    for (const { path, file } of matches.toSorted((a, b) => RANK[a.match] - RANK[b.match])) {
      // The file may have changed meanwhile.
      const json = await jsonIn(path);
      const artifact = artifactOf(json, path);
      const runtime = artifact && matchOf(code, artifact);
      const { abi, storageLayout } = asObject(json) ?? {};
      if (artifact === undefined || runtime === undefined || !Array.isArray(abi)) continue;
      const layout = asObject(storageLayout) ?? (await (file.layout ??= layoutOfBuild(path, json)));
      return { name: artifact.name, abi, runtime, storageLayout: layout };
    }
    return undefined;
  }

  /** Reads changed files; false if they were checked just before. Concurrent callers share one read. */
  async #readAgain(): Promise<boolean> {
    if (this.#reading === undefined) {
      const now = this.#clock.now();
      if (this.#last !== undefined && now - this.#last < READ_AGAIN_NS) return false;
      this.#last = now;
      this.#reading = this.#load().finally(() => (this.#reading = undefined));
    }
    await this.#reading;
    return true;
  }

  async #load(): Promise<void> {
    const before = this.#read;
    const now = new Map<string, ReadFile>();
    let count = 0;
    for (const [path, changed] of await artifactFiles(this.#folders)) {
      if (count >= FIXED_LIMITS.artifacts) break;
      const known = before.get(path);
      const read =
        known?.changed === changed
          ? known
          : { changed, artifact: artifactOf(await jsonIn(path), path), layout: undefined };
      if (read.artifact !== undefined) count += 1;
      now.set(path, read);
    }
    this.#read = now;
  }
}

const RANK: Readonly<Record<Match, number>> = { exact_match: 0, match: 1 };

function matchOf(deployed: Uint8Array, { code, hasPlaces }: Artifact): Match | undefined {
  // Compare the lengths first, which excludes most contracts.
  if (deployed.length !== code.bytes.length) return undefined;
  const match = matchRuntime(deployed, code);
  if (match !== undefined || hasPlaces) return match;
  return isDeployedFrom({ bytes: code.bytes, links: [] }, deployed) ? 'match' : undefined;
}

function artifactOf(json: unknown, path: string): Artifact | undefined {
  const file = asObject(json) ?? {};
  const { deployedBytecode: deployed, immutableReferences: own, contractName } = file;
  const form = typeof deployed === 'string' ? { object: deployed, immutableReferences: own } : asObject(deployed);
  const code = compiledCode(form);
  if (code === undefined || !Array.isArray(file['abi'])) return undefined;
  const named = isIdentifier(contractName) ? contractName : basename(path, '.json');
  const hasPlaces = form?.immutableReferences !== undefined;
  return { name: named.slice(0, FIXED_LIMITS.identifierCharacters), code, hasPlaces };
}
