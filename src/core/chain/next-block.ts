import type { PrepareProposalRequest, ProposedTransaction } from '../application-requests.js';
import { validatorSetHash } from '../comet/validator-set.js';
import { proposerOf } from '../comet/proposer-priority.js';
import type { Sha256 } from '../comet/merkle.js';
import type { PoolTransaction } from '../mempool/pool-transaction.js';
import { toHeight } from '../primitives.js';
import type { CarriedCommit } from './block-clock.js';
import { lastCommitVotes } from './block-facts.js';
import type { ChainState } from './chain-state.js';

/**
 * Builds the request to execute pool transactions for the block after `head` before that block is built; the block
 * will carry `commit`.
 */
export function nextBlockRequest(
  crypto: Sha256,
  head: ChainState,
  { commit, time }: CarriedCommit,
  chosen: readonly PoolTransaction[],
): PrepareProposalRequest {
  return {
    height: toHeight(head.height + 1n),
    time,
    chainId: head.chainId,
    proposerAddress: proposerOf(head.validators).address,
    nextValidatorsHash: validatorSetHash(crypto, head.nextValidators),
    previousAppHash: head.appHash,
    lastCommitVotes: lastCommitVotes(commit, head.lastValidators),
    lastCommitRound: commit.round,
    misbehavior: [],
    txs: proposed(chosen),
  };
}

/** Pool transactions as proposed ones. All passed CheckTx here; new accounts get numbers in this order. */
function proposed(chosen: readonly PoolTransaction[]): readonly ProposedTransaction[] {
  const numbers = new Map<string, number>();
  const numberOf = (address: string): number => {
    const number = numbers.get(address) ?? numbers.size;
    numbers.set(address, number);
    return number;
  };
  return chosen.map(({ tx, gasWanted, accounts }) => ({
    tx,
    gasLimit: gasWanted,
    verified: true,
    accounts: accounts.map(({ address }) => numberOf(address)),
  }));
}
