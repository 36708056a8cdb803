import type { EthereumApi } from '../../core/ethereum/api.js';
import type { KnownContract, VerificationApi } from '../../core/verification/api.js';
import type { CompiledContracts } from './compiled-contracts.js';

/** Answers the contract at an address: the verified one, else one that was compiled beside the node. */
export function knownContracts(
  verification: Pick<VerificationApi, 'contract'>,
  api: Pick<EthereumApi, 'blockNumber' | 'code'>,
  compiled: Pick<CompiledContracts, 'find'>,
): (address: Uint8Array) => Promise<KnownContract | undefined> {
  return async (address) => {
    const verified = await verification.contract(address);
    if (verified !== undefined) return { origin: 'verified', ...verified };
    const code = api.code(address, api.blockNumber());
    const found = code.ok ? await compiled.find(code.value) : undefined;
    return found && { origin: 'artifacts', ...found };
  };
}
