import type { ProcessProposalRequest, ProcessProposalResult } from '../application-requests.js';
import { CacheStore } from '../state/overlay.js';
import type { StateReader } from '../state/state.js';
import { maxBlockGas, type Assembly } from './assembly.js';
import { runTx } from './run-tx.js';

/**
 * Rejects a proposal with a transaction that no block may contain: each must decode and pass the ante rules on the
 * effects of its predecessors (cosmos-sdk v0.53 `baseapp/abci_utils.go` DefaultProposalHandler). If gas limits fill a
 * block, their sum is limited too. Local limits of this node, such as its minimum gas price, do not apply.
 */
export function processProposal(
  assembly: Assembly,
  state: StateReader,
  request: ProcessProposalRequest,
): ProcessProposalResult {
  const { contexts, keepers, router, chain, version } = assembly;
  contexts.changing();
  const store = new CacheStore(state);
  const blockMaxGas = maxBlockGas(assembly, store);
  const shared = { ...contexts.shared(request), chain: { ...chain, minGasPrice: 0n } };
  keepers.evm?.assumeBaseFeeOf(contexts.of(request, store, 'check'), request.height);
  let gasWanted = 0n;
  for (const [index, tx] of request.txs.entries()) {
    const verified = request.verified?.has(index) ?? false;
    const outcome = runTx({ shared, router, mode: 'check', blockMaxGas, verified, isProposed: true }, store, tx);
    if (outcome.code !== 0) return { kind: 'refused', index, reason: outcome.log };
    gasWanted += outcome.gasWanted;
    if (version.blockLimit === 'gas wanted' && blockMaxGas !== undefined && gasWanted > blockMaxGas)
      return { kind: 'refused', index, reason: `the gas limits exceed that of a block, ${blockMaxGas}` };
  }
  return { kind: 'accepted' };
}
