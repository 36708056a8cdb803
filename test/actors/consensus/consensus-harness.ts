/**
 * Block production under a supervisor on virtual time, over a simulated chain: a pipeline that applies each decision,
 * a pool, and ports that fail when a test says so.
 */
import type { Mining } from '../../../src/core/chain/mining.js';
import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Subject } from 'rxjs';
import {
  createConsensus,
  type Available,
  type BlockRequest,
  type Consensus,
  type Decision,
  type NextHeight,
  type Preparation,
  type PreparationEnded,
} from '../../../src/actors/consensus/index.js';
import { createSupervisor } from '../../../src/actors/supervisor/supervisor.js';
import { medianTime } from '../../../src/core/comet/block-time.js';
import { incrementProposerPriority } from '../../../src/core/comet/proposer-priority.js';
import type { ProposedBlock } from '../../../src/core/consensus/block-key.js';
import { type ConsensusTimeouts, SOLE_VALIDATOR_TIMEOUTS } from '../../../src/core/consensus/timeouts.js';
import type { ConsensusSigner } from '../../../src/core/ports/crypto.js';
import { type Height, type TimeNs, toHeight, toPosition } from '../../../src/core/primitives.js';
import { CanonicalVoteSchema } from '../../../src/core/proto/tendermint/types/canonical_pb.js';
import type { Commit } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { createSignal, type Executed, type Halted, type ChainReverted } from '../../../src/streams/index.js';
import { nodeCrypto } from '../../core/comet/node-crypto.js';
import { CHAIN_ID, testBlock, testSet, testSigner } from '../../core/consensus/validators.js';
import { VirtualTime } from '../../support/simulated-time.js';

export interface HarnessOptions {
  readonly validators?: number;
  /** How many of the validators sign in this process; all by default. */
  readonly local?: number;
  readonly mining: Mining;
  /** Draws 32 random bits for each pause. */
  readonly drawn?: () => number;
  readonly timeouts?: ConsensusTimeouts;
  /** Whether the application accepts the block proposed in a round. */
  readonly valid?: (round: number) => boolean;
  /** Milliseconds until a decision is applied; 0 applies it at once, undefined when `apply` is called. */
  readonly applying?: () => number | undefined;
  readonly haltAt?: bigint;
  /** The chain is halted from the start. */
  readonly halted?: boolean;
  /** Number of failures after which the supervisor still restarts the actor. */
  readonly restarts?: number;
  readonly maximum?: number;
}

/** The parts that a test can make fail at their next use. */
export type Failing = 'build' | 'sign' | 'view';

export class ConsensusHarness {
  readonly time = new VirtualTime();
  readonly consensus: Consensus;
  /** Blocks of the current branch. */
  readonly chain: Decision[] = [];
  /** When each block was decided, including one that is not applied yet. */
  readonly times: TimeNs[] = [];
  readonly lastCommits: (Commit | undefined)[] = [];
  readonly proposals: ProposedBlock[] = [];
  /** Failures that ended production for good. */
  readonly failures: unknown[] = [];
  /** Violations of consensus rules that the harness noticed. */
  readonly violations: string[] = [];
  /** Pending transactions; a block takes them all. */
  txs: string[] = [];
  readonly supervisor;
  readonly heard = new Subject<Executed | Halted | ChainReverted>();
  readonly available = createSignal<Available>();
  readonly proposed = createSignal<ProposedBlock>();
  /**
   * More transactions are pending than a block holds by gas limits: each block asks for a preparation, which the test
   * completes.
   */
  overfull = false;
  readonly preparations = createSignal<Preparation>();
  readonly prepared = createSignal<PreparationEnded>();
  halted: boolean;
  /** Decisions that were published and are not applied yet. */
  inFlight: Decision | undefined;
  /** The port whose next call fails, once. */
  failing: Failing | undefined;
  /** Number of blocks applied on all branches. */
  heightsMade = 0;
  /**
   * Number of leases requested, number granted and not released, and number of blocks that lease holders wait for.
   */
  pausing = 0;
  leases = 0;
  leased = 0;
  readonly #heads: NextHeight[];
  readonly #signed = new Map<string, string>();
  #branch = 0;

  constructor(readonly options: HarnessOptions) {
    this.halted = options.halted ?? false;
    const count = options.validators ?? 1;
    const signers = Array.from({ length: count }, (_, index) => testSigner(index));
    this.#heads = [{ height: toHeight(1n), validators: testSet(signers), last: undefined }];
    const decisions = createSignal<Decision>();
    decisions.heard.subscribe((decision) => this.#decided(decision));
    this.proposed.heard.subscribe((proposal) => this.proposals.push(proposal));
    this.consensus = createConsensus({
      chainId: CHAIN_ID,
      crypto: nodeCrypto,
      clock: this.time,
      timerClock: this.time,
      timeouts: options.timeouts ?? SOLE_VALIDATOR_TIMEOUTS,
      randomness: {
        bytes: (length) => {
          const bytes = new Uint8Array(length);
          new DataView(bytes.buffer).setUint32(0, options.drawn?.() ?? 0);
          return bytes;
        },
      },
      mining: options.mining,
      signers: signers.slice(0, options.local ?? count).map((signer, index) => this.#guarded(signer, index)),
      buildBlock: (request) => this.#build(request),
      nextHeight: () => {
        this.#mayFail('view');
        return this.next;
      },
      hasIncludable: () => this.txs.length > 0,
      isNextBlockAwaited: () => false,
      isOverfull: () => this.overfull,
      preparations: this.preparations,
      prepared: this.prepared.heard,
      isHalted: () => this.halted,
      stream: { live: this.heard },
      available: this.available.heard,
      proposals: this.proposed,
      decisions,
      limits: { actorInbox: options.maximum ?? 100 },
    });
    this.supervisor = createSupervisor<'consensus'>({
      clock: this.time,
      timers: this.time,
      limits: { actorRestarts: options.restarts ?? 0, actorRestartWindowMs: 60_000 },
      isFatal: () => false,
      onRestart: () => undefined,
      onFailedAtStop: () => undefined,
      onFailed: (_id, error) => this.failures.push(error),
      onMode: () => undefined,
    });
    void this.supervisor.start(this.consensus.child).catch(() => undefined);
  }

  /** The state that the height after the head starts from. */
  get next(): NextHeight {
    const next = this.#heads.at(-1);
    if (next === undefined) throw new Error('there is a head');
    return next;
  }

  get heights(): readonly bigint[] {
    return this.chain.map(({ height }) => height);
  }

  /** Transactions of each applied block. */
  get contents(): readonly (readonly string[])[] {
    return this.chain.map(({ block }) => textsOf(block));
  }

  get mode(): string {
    return this.consensus.view.mode();
  }

  submit(tx: string): void {
    this.txs.push(tx);
    this.available.say({ type: 'available' });
  }

  /** Applies the pending decision. */
  apply(): void {
    const { inFlight: decision } = this;
    if (decision === undefined) return;
    this.inFlight = undefined;
    if (decision.height === this.options.haltAt) {
      this.halted = true;
      this.heard.next({
        type: 'halted',
        position: toPosition(0n),
        plan: { name: 'plan', height: decision.height, info: '' },
      });
      return;
    }
    this.chain.push(decision);
    this.heightsMade += 1;
    const taken = new Set(textsOf(decision.block));
    this.txs = this.txs.filter((tx) => !taken.has(tx));
    const { validators } = this.next;
    this.#heads.push({
      height: toHeight(decision.height + 1n),
      validators: incrementProposerPriority(validators, 1),
      last: { commit: decision.commit, validators },
    });
    // The real pool also hears the block before consensus does.
    if (this.txs.length > 0) this.available.say({ type: 'available' });
    this.heard.next(executedAt(decision.height));
  }

  /** Reverts the chain to a height, under a lease that the caller holds. */
  goBack(height: Height): void {
    if (this.inFlight !== undefined) this.violations.push('a block is in flight under a lease');
    this.#branch += 1;
    this.chain.length = Number(height);
    this.#heads.length = Number(height) + 1;
    this.heard.next({ type: 'reverted', position: toPosition(0n), height });
  }

  #decided(decision: Decision): void {
    if (this.inFlight !== undefined || decision.height !== this.next.height)
      this.violations.push(`decided ${decision.height} in place of ${this.next.height}`);
    this.inFlight = decision;
    this.times.push(this.time.now());
    const milliseconds = (this.options.applying ?? ((): number => 0))();
    if (milliseconds === undefined) return;
    if (milliseconds === 0) queueMicrotask(() => this.apply());
    else this.time.after(milliseconds, () => this.apply());
  }

  #build({ height, round, lastCommit, proposerAddress }: BlockRequest): ProposedBlock {
    if (this.leases > 0 && this.leased === 0) this.violations.push('a block begins under a lease');
    this.#mayFail('build');
    this.lastCommits.push(lastCommit);
    const { validators } = this.next;
    return testBlock({
      height,
      time: lastCommit === undefined ? this.time.now() : medianTime(lastCommit, validators),
      validators,
      txs: [...this.txs],
      lastCommit,
      proposerAddress,
      valid: this.options.valid?.(round) ?? true,
    });
  }

  /** A signer that reports a second signature for the same height, round and step. */
  #guarded(signer: ConsensusSigner, index: number): ConsensusSigner {
    return {
      publicKey: signer.publicKey,
      sign: (message) => {
        this.#mayFail('sign');
        const { height, round, type } = fromBinary(CanonicalVoteSchema, new BinaryReader(message).bytes());
        const place = `branch ${this.#branch} validator ${index} height ${height} round ${round} type ${type}`;
        const content = Buffer.from(message).toString('hex');
        if (this.#signed.has(place)) this.violations.push(`signed twice: ${place}`);
        this.#signed.set(place, content);
        return signer.sign(message);
      },
    };
  }

  #mayFail(at: Failing): void {
    if (this.failing !== at) return;
    this.failing = undefined;
    throw new Error(`${at} failed`);
  }
}

export function textsOf({ block }: ProposedBlock): readonly string[] {
  return (block.data?.txs ?? []).map((tx) => Buffer.from(tx).toString());
}

export function executedAt(height: Height): Executed {
  return {
    type: 'executed',
    position: toPosition(0n),
    data: { height, results: new Uint8Array(), writes: [], upgradeHeight: undefined },
    decided: undefined,
    execution: undefined,
  };
}
