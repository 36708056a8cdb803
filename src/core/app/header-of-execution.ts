import type { BlockFacts } from '../application-requests.js';
import { executedPart } from '../ethereum/executed-header.js';
import { hashOfHeader } from '../ethereum/header-encoding.js';
import { headerFactsOf } from '../ethereum/header-facts.js';
import type { Event } from '../proto/tendermint/abci/types_pb.js';
import type { StateStore } from '../state/state.js';
import type { Assembly } from './assembly.js';
import type { TxOutcome } from './run-tx.js';
import { NS_PER_SECOND } from '../primitives.js';

type Outcome = Pick<TxOutcome, 'code' | 'data' | 'gasUsed' | 'events'>;

/** Computes the Ethereum header while a block executes, for chains that use its hash. */
export class HeaderOfExecution {
  readonly #txs: Uint8Array[] = [];
  readonly #outcomes: Outcome[] = [];

  private constructor(
    private readonly crypto: Assembly['crypto'],
    private readonly facts: BlockFacts,
    private readonly before: { readonly parentHash: Uint8Array; readonly prevRandao: Uint8Array },
    /** `max_gas` of the consensus parameters at the start of the block. */
    private readonly maxGas: bigint,
  ) {}

  /** Starts the header of a block on its parent state `store`; undefined on chains that do not use header hashes. */
  static begin(
    { keepers, crypto, version }: Assembly,
    store: StateStore,
    facts: BlockFacts,
  ): HeaderOfExecution | undefined {
    const before = keepers.evm?.headerHashing({ store, version });
    const maxGas = keepers.consensusParams?.({ store })?.block?.maxGas ?? -1n;
    return before && new HeaderOfExecution(crypto, facts, before, maxGas);
  }

  /** Adds the next transaction and its result. */
  add(tx: Uint8Array, { code, data, gasUsed, events }: Outcome): void {
    this.#txs.push(tx);
    this.#outcomes.push({ code, data, gasUsed, events });
  }

  /** Header hash after the last transaction. `events`: the block's events before its transactions. */
  hash(events: readonly Event[]): Uint8Array {
    const { height, time, previousAppHash, proposerAddress } = this.facts;
    const { parentHash, prevRandao } = this.before;
    const block = { height, parentHash, timestamp: time / NS_PER_SECOND, stateRoot: previousAppHash };
    return hashOfHeader(this.crypto, {
      ...headerFactsOf(block, events, { miner: proposerAddress, maxGas: this.maxGas, prevRandao }),
      ...executedPart(this.crypto, this.#txs, {
        txCount: this.#outcomes.length,
        outcome: (index) => this.#outcomes[index],
        txEvents: (index) => this.#outcomes[index]?.events ?? [],
      }),
    });
  }
}
