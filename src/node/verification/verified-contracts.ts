/** Verified contracts with their sources, by address. */
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { asObject, jsonOf } from '../../core/text/json-object.js';
import type { VerifiedContract } from '../../core/verification/api.js';
import type { AddressTexts } from './address-texts.js';

export interface VerifiedContracts {
  read(address: Uint8Array): Promise<VerifiedContract | undefined>;
  /** Stores a contract; returns an error text if it cannot. */
  write(address: Uint8Array, contract: VerifiedContract): Promise<string | undefined>;
}

/** Creates the store of verified contracts over a text store. */
export function verifiedContracts(texts: AddressTexts): VerifiedContracts {
  return {
    async read(address) {
      const text = await texts.read(address);
      return text === undefined ? undefined : contractOf(text);
    },
    async write(address, contract) {
      const text = JSON.stringify(contract);
      if (Buffer.byteLength(text) > FIXED_LIMITS.verifiedContractBytes) return exceeded('verifiedContractBytes');
      return (await texts.write(address, text)) ? undefined : exceeded('verifiedContracts');
    },
  };
}

function exceeded(limit: 'verifiedContracts' | 'verifiedContractBytes'): string {
  return `limit ${limit} (${FIXED_LIMITS[limit]}) exceeded`;
}

function contractOf(text: string): VerifiedContract | undefined {
  const json = jsonOf(text);
  return isContract(json) ? json : undefined;
}

/** Type guard: the file may be from another build. */
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
