/** Verified contracts in a folder of the home, a file each; in memory where there is no folder. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hexData } from '../../core/bytes/hex.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { asObject } from '../../core/text/json-object.js';
import type { VerifiedContract } from '../../core/verification/api.js';

export interface VerifiedContracts {
  read(address: Uint8Array): Promise<VerifiedContract | undefined>;
  /** Keeps a contract; answers the reason where it cannot. */
  write(address: Uint8Array, contract: VerifiedContract): Promise<string | undefined>;
}

/** Texts by names. */
interface Texts {
  read(name: string): Promise<string | undefined>;
  /** False where there are too many already. */
  write(name: string, text: string): Promise<boolean>;
}

/** Opens the contracts of a folder, which is made with the first one. */
export function openVerifiedContracts(folder: string | undefined): VerifiedContracts {
  const texts = folder === undefined ? inMemory() : inFolder(folder);
  return {
    async read(address) {
      const text = await texts.read(nameOf(address));
      return text === undefined ? undefined : contractOf(text);
    },
    async write(address, contract) {
      const text = JSON.stringify(contract);
      if (Buffer.byteLength(text) > FIXED_LIMITS.verifiedContractBytes) return exceeded('verifiedContractBytes');
      return (await texts.write(nameOf(address), text)) ? undefined : exceeded('verifiedContracts');
    },
  };
}

function nameOf(address: Uint8Array): string {
  return `${hexData(address)}.json`;
}

function exceeded(limit: 'verifiedContracts' | 'verifiedContractBytes'): string {
  return `limit ${limit} (${FIXED_LIMITS[limit]}) exceeded`;
}

function inMemory(): Texts {
  const texts = new Map<string, string>();
  return {
    read: (name) => Promise.resolve(texts.get(name)),
    write(name, text) {
      const hasRoom = texts.has(name) || texts.size < FIXED_LIMITS.verifiedContracts;
      if (hasRoom) texts.set(name, text);
      return Promise.resolve(hasRoom);
    },
  };
}

function inFolder(folder: string): Texts {
  return {
    read: (name) => readFile(join(folder, name), 'utf8').catch(() => undefined),
    async write(name, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = await readdir(folder);
      if (names.length >= FIXED_LIMITS.verifiedContracts && !names.includes(name)) return false;
      const file = join(folder, name);
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
      return true;
    },
  };
}

function contractOf(text: string): VerifiedContract | undefined {
  try {
    const json = asObject(JSON.parse(text));
    return isContract(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The file may be of another build. */
function isContract(json: unknown): json is VerifiedContract {
  const contract = asObject(json);
  return (
    contract !== undefined &&
    ['codeHash', 'name', 'contractIdentifier', 'compilerVersion', 'verifiedAt', 'language', 'runtime'].every(
      (name) => typeof contract[name] === 'string',
    ) &&
    Array.isArray(contract['abi']) &&
    asObject(contract['sources']) !== undefined &&
    asObject(contract['settings']) !== undefined
  );
}
