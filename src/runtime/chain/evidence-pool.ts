import { create, toBinary } from '@bufbuild/protobuf';
import { upperHex } from '../../core/bytes/hex.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { evidenceHash } from '../../core/comet/body-hash.js';
import { completeEvidence } from '../../core/comet/complete.js';
import { unprovenDuplicateVote } from '../../core/comet/duplicate-vote.js';
import { fromDuration, fromTimestamp, goTime } from '../../core/comet/time.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { ChainQueries, EvidenceAnswer } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, toTimeNs, type Height } from '../../core/primitives.js';
import { type Evidence, EvidenceListSchema } from '../../core/proto/tendermint/types/evidence_pb.js';
import type { EventLog } from '../../store/log/event-log.js';

export interface EvidencePoolOptions {
  readonly chain: Pick<ChainQueries, 'block' | 'validators'> & { readonly state: ChainState };
  readonly log: Pick<EventLog, 'heightOfEvidence'>;
  readonly crypto: Crypto;
}

/**
 * Pool of duplicate-vote evidence sent by clients, until a block includes it (CometBFT v0.38 `evidence/pool.go`). In
 * memory only: after a restart it must be sent again.
 */
export class EvidencePool {
  readonly #options: EvidencePoolOptions;
  /** By hash, upper-case hexadecimal, in the order of arrival. */
  readonly #pending = new Map<string, Evidence>();

  constructor(options: EvidencePoolOptions) {
    this.#options = options;
  }

  /** True when evidence is pending. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Adds evidence that passed its stateless checks. Pending or committed evidence is accepted without effect. */
  add(evidence: Evidence): EvidenceAnswer {
    const hash = evidenceHash(this.#options.crypto, evidence);
    const name = upperHex(hash);
    const isCommitted = this.#options.log.heightOfEvidence(hash) !== undefined;
    if (this.#pending.has(name) || isCommitted) return { kind: 'taken', hash };
    const reason = this.#refusal(evidence);
    if (reason !== undefined) return { kind: 'refused', reason };
    if (this.#pending.size >= FIXED_LIMITS.pendingEvidence)
      return { kind: 'refused', reason: `${FIXED_LIMITS.pendingEvidence} pieces of evidence wait for a block` };
    this.#pending.set(name, completeEvidence(evidence));
    return { kind: 'taken', hash };
  }

  /** Evidence for the next block, within `evidence.max_bytes` of the consensus parameters. */
  proposed(): readonly Evidence[] {
    const { state } = this.#options.chain;
    const maximum = Number(state.consensusParams.evidence?.maxBytes ?? 0n);
    const chosen: Evidence[] = [];
    for (const [name, evidence] of this.#pending) {
      // Verified again, because the head has moved since it was added.
      if (this.#refusal(evidence) !== undefined) {
        this.#pending.delete(name);
        continue;
      }
      if (encodedLength([...chosen, evidence]) > maximum) break;
      chosen.push(evidence);
    }
    return chosen;
  }

  /** Removes the evidence of an executed block. */
  executed(height: Height): void {
    if (!this.isWaiting) return;
    const { chain, crypto } = this.#options;
    for (const evidence of chain.block(height)?.block.evidence?.evidence ?? [])
      this.#pending.delete(upperHex(evidenceHash(crypto, evidence)));
  }

  /** Clears the pool after a revert, because the evidence may refer to reverted blocks. */
  reverted(): void {
    this.#pending.clear();
  }

  /** Verifies evidence against this chain (`Pool.verify`): returns the reason for refusal, or undefined. */
  #refusal({ sum }: Evidence): string | undefined {
    if (sum.case !== 'duplicateVoteEvidence') return 'this node takes evidence of duplicate votes only';
    const { chain, crypto } = this.#options;
    const { state } = chain;
    const height = toHeight(sum.value.voteA?.height ?? 0n);
    const header = chain.block(height)?.block.header;
    const validators = chain.validators(height);
    if (header === undefined || validators === undefined) return `don't have header #${height}`;
    const [claimed, time] = [fromTimestamp(sum.value.timestamp), fromTimestamp(header.time)];
    if (claimed !== time)
      return `evidence has a different time to the block it is associated with (${goTime(claimed)} != ${goTime(time)})`;
    const { maxAgeNumBlocks = 0n, maxAgeDuration } = state.consensusParams.evidence ?? {};
    const longest = fromDuration(maxAgeDuration);
    if (state.time - time > longest && state.height - height > maxAgeNumBlocks)
      return `evidence from height ${height} (created at: ${goTime(time)}) is too old; min height is ${state.height - maxAgeNumBlocks} and evidence can not be older than ${goTime(toTimeNs(state.time + longest))}`;
    return unprovenDuplicateVote(sum.value, state.chainId, validators, crypto);
  }
}

function encodedLength(evidence: readonly Evidence[]): number {
  return toBinary(EvidenceListSchema, create(EvidenceListSchema, { evidence: [...evidence] })).length;
}
