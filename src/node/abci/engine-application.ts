import { create } from '@bufbuild/protobuf';
import type { Mempool } from '../../actors/mempool/mempool.js';
import { refusalOf } from '../../adapters/services/status.js';
import {
  AbciRefused,
  type AbciApplication,
  type AbciBlock,
  type AbciChunk,
  type AbciChunkAnswer,
  type AbciChunkId,
  type AbciCommitAnswer,
  type AbciInfo,
  type AbciInitChain,
  type AbciInitChainAnswer,
  type AbciProposal,
  type AbciSnapshot,
  type SnapshotVerdict,
  type Verdict,
} from '../../core/abci/abci-application.js';
import type { Application } from '../../core/application.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { upperHex } from '../../core/bytes/hex.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { txHash } from '../../core/comet/body-hash.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import type { DomainError } from '../../core/errors.js';
import type { GenesisDocument } from '../../core/genesis/genesis-document.js';
import { protocolVersion } from '../../core/modules/upgrade/plan-store.js';
import type { AbciQuery, AbciQueryAnswer, NodeApi } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, type Height } from '../../core/primitives.js';
import {
  ResponseCheckTxSchema,
  ValidatorUpdateSchema,
  type ResponseCheckTx,
} from '../../core/proto/tendermint/abci/types_pb.js';
import type { ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import type { StateReader } from '../../core/state/state.js';
import type { ExternalBlocks } from '../../runtime/chain/external-blocks.js';
import { VERSION } from '../../runtime/host/version.js';
import type { SnapshotRestorer } from '../../runtime/snapshots/restorer.js';
import type { SnapshotStore } from '../../runtime/snapshots/store.js';
import type { SnapshotTaker } from '../../runtime/snapshots/taker.js';
import type { OutsideProducer } from './outside-producer.js';
import type { Relay } from './relay.js';
import { genesisDifference } from './same-genesis.js';
import { internalError, MEMPOOL_ERRORS, sdkErrors } from '../../core/sdk/module/sdk-error.js';

export interface EngineApplicationOptions {
  readonly crypto: Crypto;
  readonly application: Pick<Application, 'processProposal'>;
  /** The genesis document of this chain, from the log. */
  readonly genesis: GenesisDocument;
  readonly genesisValidators: ValidatorSet;
  /** The chain state at the head. */
  readonly chain: () => ChainState;
  /** The state after the head. */
  readonly latest: StateReader;
  readonly mempool: Pick<Mempool, 'broadcast' | 'view'>;
  readonly blocks: Pick<ExternalBlocks, 'finalize' | 'commit'>;
  readonly producer: Pick<OutsideProducer, 'allowed'>;
  readonly relay: Pick<Relay, 'has' | 'engineBegan'>;
  readonly abciQuery: NodeApi['queries']['abciQuery'];
  /** Number of blocks that the engine should keep; undefined for all. */
  readonly retainBlocks: bigint | undefined;
  /** Number of blocks below the head that a node restored from the oldest snapshot needs; 0 for none. */
  readonly snapshotBlocks: bigint;
  readonly snapshots: {
    readonly store: Pick<SnapshotStore, 'list' | 'chunk'>;
    readonly taker: Pick<SnapshotTaker, 'committed'>;
    readonly restorer: Pick<SnapshotRestorer, 'offer' | 'apply'>;
  };
}

/** Implements ABCI for a consensus engine in another process. It reads the published head, as all faces do. */
export class EngineApplication implements AbciApplication {
  readonly #options: EngineApplicationOptions;

  constructor(options: EngineApplicationOptions) {
    this.#options = options;
  }

  engineBegan(): void {
    this.#options.relay.engineBegan();
  }

  info(): Promise<AbciInfo> {
    const { chain, latest } = this.#options;
    const { height, initialHeight, appHash } = chain();
    const hasBlocks = height >= initialHeight;
    return Promise.resolve({
      data: 'chronicled',
      version: VERSION,
      appVersion: protocolVersion(latest),
      lastBlockHeight: hasBlocks ? height : toHeight(0n),
      lastBlockAppHash: hasBlocks ? appHash : EMPTY,
    });
  }

  async query(query: AbciQuery): Promise<AbciQueryAnswer> {
    const answer = await this.#options.abciQuery(query);
    if (answer.ok) return answer.value;
    const { code, codespace, log } = refused(answer.error);
    const empty = { info: '', index: 0n, key: EMPTY, value: EMPTY, proofOps: undefined, height: query.height };
    return { ...empty, code, codespace, log };
  }

  /**
   * Checks a transaction for the engine's mempool. A transaction that this node relayed was checked before. A
   * transaction that waits for a lower nonce is accepted, and proposed when the nonce is due.
   */
  async checkTx(tx: Uint8Array, kind: 'new' | 'recheck'): Promise<ResponseCheckTx> {
    const { crypto, mempool, relay } = this.#options;
    const hash = upperHex(txHash(crypto, tx));
    const waiting = mempool.view.get(hash);
    if (waiting !== undefined) {
      relay.has(hash);
      return create(ResponseCheckTxSchema, { gasWanted: waiting.gasWanted });
    }
    if (kind === 'recheck') return create(ResponseCheckTxSchema, NO_LONGER_VALID);
    relay.has(hash);
    const admitted = await mempool.broadcast(tx);
    if (admitted.ok) return admitted.value;
    return create(ResponseCheckTxSchema, refused(admitted.error));
  }

  /** The log already begins with a genesis. Throws AbciRefused if the engine's genesis is another one. */
  async initChain(request: AbciInitChain): Promise<AbciInitChainAnswer> {
    const { genesis, genesisValidators, chain } = this.#options;
    const { appHash, consensusParams } = chain();
    const difference = genesisDifference(genesis, request);
    if (difference !== undefined) throw new AbciRefused(`the genesis of the engine has ${difference}`);
    if ((request.consensusParams.abci?.voteExtensionsEnableHeight ?? 0n) !== 0n)
      throw new AbciRefused('the genesis of the engine enables vote extensions, which this application does not make');
    const validators = genesisValidators.validators.flatMap(({ pubKey, votingPower }) =>
      pubKey === undefined ? [] : [create(ValidatorUpdateSchema, { pubKey, power: votingPower })],
    );
    return { consensusParams, validators, appHash };
  }

  /**
   * Proposes transactions of this node's mempool, ordered by tip. The node's mempool contains every transaction of
   * the engine's.
   */
  async prepareProposal({ maxTxBytes }: AbciProposal): Promise<readonly Uint8Array[]> {
    const { mempool, chain } = this.#options;
    const room = { bytes: Number(maxTxBytes), gas: chain().consensusParams.block?.maxGas ?? -1n };
    return mempool.view.reap(room).map(({ tx }) => tx);
  }

  async processProposal({ txs, height, time }: AbciBlock): Promise<Verdict> {
    const { application, latest, chain, crypto, mempool } = this.#options;
    const { chainId, height: head, initialHeight } = chain();
    const isFirst = head < initialHeight;
    const verified = isFirst
      ? []
      : txs.flatMap((tx, index) => (mempool.view.isChecked(upperHex(txHash(crypto, tx))) ? [index] : []));
    const proposal = { chainId, height, time, txs, verified: new Set(verified) };
    return application.processProposal(latest, proposal).kind === 'accepted' ? 'accept' : 'reject';
  }

  extendVote(): Promise<Uint8Array> {
    return Promise.resolve(EMPTY);
  }

  verifyVoteExtension(extension: Uint8Array): Promise<Verdict> {
    return Promise.resolve(extension.length === 0 ? 'accept' : 'reject');
  }

  async finalizeBlock(block: AbciBlock): Promise<EncodedResults> {
    const { blocks, producer } = this.#options;
    await producer.allowed();
    const results = await blocks.finalize(block);
    // The chain halts for an upgrade. Never answer: any answer, also an error, would stop the engine.
    return results ?? new Promise(() => undefined);
  }

  async commit(): Promise<AbciCommitAnswer> {
    const { blocks, chain, retainBlocks, snapshotBlocks, snapshots } = this.#options;
    await blocks.commit();
    const { height } = chain();
    snapshots.taker.committed(height);
    return { retainHeight: retainHeight(height, retainBlocks, snapshotBlocks) };
  }

  listSnapshots(): Promise<readonly AbciSnapshot[]> {
    return Promise.resolve(this.#options.snapshots.store.list());
  }

  offerSnapshot(snapshot: AbciSnapshot, appHash: Uint8Array): Promise<SnapshotVerdict> {
    return Promise.resolve(this.#options.snapshots.restorer.offer(snapshot, appHash));
  }

  async loadSnapshotChunk(place: AbciChunkId): Promise<Uint8Array> {
    return (await this.#options.snapshots.store.chunk(place)) ?? EMPTY;
  }

  applySnapshotChunk(chunk: AbciChunk): Promise<AbciChunkAnswer> {
    return this.#options.snapshots.restorer.apply(chunk);
  }
}

/**
 * The lowest height that the engine should keep; 0 for all. Blocks since the oldest snapshot are kept, as in the SDK
 * (cosmos-sdk v0.53 `baseapp/abci.go`, GetBlockRetentionHeight).
 */
function retainHeight(head: Height, kept: bigint | undefined, sinceSnapshot: bigint): Height {
  if (kept === undefined || head < kept) return toHeight(0n);
  const lowest = head - kept + 1n;
  const ofSnapshot = head - sinceSnapshot;
  if (sinceSnapshot === 0n || lowest < ofSnapshot) return toHeight(lowest);
  return toHeight(ofSnapshot > 0n ? ofSnapshot : 0n);
}

/** The answer to a recheck when the transaction has left this node's mempool: it is in a block, or was dropped. */
const NO_LONGER_VALID = {
  code: sdkErrors.txInMempool.code,
  codespace: 'sdk',
  log: 'the transaction waits here no longer',
};

/** Codes of the SDK for refusals of its mempool (cosmos-sdk v0.53 `types/errors/errors.go`); 1 is an internal error. */
function refused(error: DomainError): { readonly code: number; readonly codespace: string; readonly log: string } {
  const { message } = refusalOf(error);
  const { code, codespace } = MEMPOOL_ERRORS[error.code] ?? internalError;
  return { code, codespace, log: message };
}
