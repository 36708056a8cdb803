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

/** Opens the contracts of a folder, which is made with the first one. */
export function openVerifiedContracts(folder: string | undefined): VerifiedContracts {
  return folder === undefined ? inMemory() : inFolder(folder);
}

function inMemory(): VerifiedContracts {
  const contracts = new Map<string, VerifiedContract>();
  return {
    read: (address) => Promise.resolve(contracts.get(hexData(address))),
    write(address, contract) {
      const name = hexData(address);
      if (!contracts.has(name) && contracts.size >= FIXED_LIMITS.verifiedContracts) return Promise.resolve(TOO_MANY);
      contracts.set(name, contract);
      return Promise.resolve(undefined);
    },
  };
}

const TOO_MANY = `limit verifiedContracts (${FIXED_LIMITS.verifiedContracts}) exceeded`;

function inFolder(folder: string): VerifiedContracts {
  const fileOf = (address: Uint8Array): string => join(folder, `${hexData(address)}.json`);
  return {
    async read(address) {
      try {
        const json = asObject(JSON.parse(await readFile(fileOf(address), 'utf8')));
        return isContract(json) ? json : undefined;
      } catch {
        return undefined;
      }
    },
    async write(address, contract) {
      const text = JSON.stringify(contract);
      if (text.length > FIXED_LIMITS.verifiedContractBytes)
        return `limit verifiedContractBytes (${FIXED_LIMITS.verifiedContractBytes}) exceeded`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = await readdir(folder);
      const file = fileOf(address);
      if (names.length >= FIXED_LIMITS.verifiedContracts && !names.includes(`${hexData(address)}.json`))
        return TOO_MANY;
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
      return undefined;
    },
  };
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
