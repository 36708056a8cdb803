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
 * Evidence of duplicate votes that clients sent, until a block holds it (CometBFT v0.38 `evidence/pool.go`). Until then
 * it is in the memory of the process alone: after a restart it can be sent again.
 */
export class EvidencePool {
  readonly #options: EvidencePoolOptions;
  /** By hash, upper-case hexadecimal, in the order of arrival. */
  readonly #pending = new Map<string, Evidence>();

  constructor(options: EvidencePoolOptions) {
    this.#options = options;
  }

  /** Evidence waits for a block. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes evidence that has no problem of its own; evidence that waits or was in a block has no effect. */
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

  /** The evidence for the block after the head, within the bytes that the consensus parameters allow. */
  proposed(): readonly Evidence[] {
    const { state } = this.#options.chain;
    const maximum = Number(state.consensusParams.evidence?.maxBytes ?? 0n);
    const chosen: Evidence[] = [];
    for (const [name, evidence] of this.#pending) {
      // The head has moved since it was taken.
      if (this.#refusal(evidence) !== undefined) {
        this.#pending.delete(name);
        continue;
      }
      if (encodedLength([...chosen, evidence]) > maximum) break;
      chosen.push(evidence);
    }
    return chosen;
  }

  /** A block was executed: its evidence waits no longer. */
  executed(height: Height): void {
    if (!this.isWaiting) return;
    const { chain, crypto } = this.#options;
    for (const evidence of chain.block(height)?.block.evidence?.evidence ?? [])
      this.#pending.delete(upperHex(evidenceHash(crypto, evidence)));
  }

  /** The chain was reverted: the evidence may be of blocks that are abandoned. */
  reverted(): void {
    this.#pending.clear();
  }

  /** Verifies evidence on this chain (`Pool.verify`): the reason why it does not hold, undefined when it does. */
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
