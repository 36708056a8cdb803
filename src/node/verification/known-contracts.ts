import type { EthereumApi } from '../../core/ethereum/api.js';
import type { KnownContract, VerificationApi } from '../../core/verification/api.js';
import type { CompiledContracts } from './compiled-contracts.js';
import type { SuppliedContracts } from './supplied-contracts.js';

/**
 * Returns a function that finds the contract at an address: verified, else compiled locally, else set by a dev
 * command.
 */
export function knownContracts(
  verification: Pick<VerificationApi, 'contract'>,
  api: Pick<EthereumApi, 'blockNumber' | 'code'>,
  compiled: Pick<CompiledContracts, 'find'>,
  supplied: Pick<SuppliedContracts, 'find'>,
): (address: Uint8Array) => Promise<KnownContract | undefined> {
  return async (address) => {
    const verified = await verification.contract(address);
    if (verified !== undefined) return { origin: 'verified', ...verified };
    const code = api.code(address, api.blockNumber());
    const found = code.ok ? await compiled.find(code.value) : undefined;
    if (found !== undefined) return { origin: 'artifacts', ...found };
    const own = await supplied.find(address);
    return own && { origin: 'supplied', ...own };
  };
}
