import { create, fromBinary } from '@bufbuild/protobuf';
import {
  AbciRefused,
  type AbciApplication,
  type AbciBlock,
  type AbciChunkAnswer,
  type AbciCommitAnswer,
  type AbciInfo,
  type AbciInitChain,
  type AbciInitChainAnswer,
  type AbciProposal,
  type AbciSnapshot,
  type SnapshotVerdict,
  type Verdict,
} from '../../../src/core/abci/abci-application.js';
import { EMPTY, equal } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import type { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { executeKvBlock, genesisKvState, INVALID_TRANSACTION, stateOperation } from './block.js';
import {
  appHashOf,
  decodeState,
  EMPTY_STATE,
  keyOf,
  type KvState,
  pairRow,
  STATE_ROW,
  VALIDATOR_RANGE,
  validatorRow,
} from './state.js';
import { isValidKey, isValidTransaction, withEquals } from './transaction.js';
import type { AbciQuery, AbciQueryAnswer } from '../../../src/core/node-api.js';
import type { Crypto } from '../../../src/core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../../src/core/ports/key-value-store.js';
import { toHeight } from '../../../src/core/primitives.js';
import {
  type ResponseCheckTx,
  ResponseCheckTxSchema,
  ValidatorUpdateSchema,
} from '../../../src/core/proto/tendermint/abci/types_pb.js';

const ABCI_VERSION = '2.0.0';
const APP_VERSION = 1n;
/** Validators of a chain (CometBFT v0.38 `types/vote_set.go`, `MaxVotesCount`). */
const VALIDATORS_MAX = 10_000;

/**
 * CometBFT's example, the key-value application, over a database: what a block changes is one synced batch at Commit,
 * and nothing of it is answered before.
 */
export class KvStoreApplication implements AbciApplication {
  readonly #store: KeyValueStore;
  readonly #crypto: Pick<Crypto, 'sha256' | 'ripemd160'>;
  #state: KvState;
  /** Rows of the next commit, and the state that it leaves. */
  #next: { readonly state: KvState; readonly rows: readonly StoreOperation[] } | undefined;
  /** Rows of the genesis validators, which the first commit writes. */
  #genesisRows: readonly StoreOperation[] = [];

  private constructor(store: KeyValueStore, crypto: Pick<Crypto, 'sha256' | 'ripemd160'>, state: KvState) {
    this.#store = store;
    this.#crypto = crypto;
    this.#state = state;
  }

  /** Reads the state of the last commit. */
  static async open(store: KeyValueStore, crypto: Pick<Crypto, 'sha256' | 'ripemd160'>): Promise<KvStoreApplication> {
    const row = store.get(STATE_ROW);
    if (row === undefined) return new KvStoreApplication(store, crypto, EMPTY_STATE);
    const rows = await store.range({ ...VALIDATOR_RANGE, limit: VALIDATORS_MAX });
    const updates = rows.map(({ value }) => fromBinary(ValidatorUpdateSchema, value.subarray(1)));
    const validators = new Map(updates.map((update) => [hex(keyOf(update)), update]));
    return new KvStoreApplication(store, crypto, { ...decodeState(row), validators });
  }

  async info(): Promise<AbciInfo> {
    const { size, height } = this.#state;
    return {
      data: `{"size":${size}}`,
      version: ABCI_VERSION,
      appVersion: APP_VERSION,
      lastBlockHeight: height,
      lastBlockAppHash: appHashOf(this.#state),
    };
  }

  /** `/val` answers a validator by its public key, any other path the value of a key. */
  async query({ path, data, prove }: AbciQuery): Promise<AbciQueryAnswer> {
    const nothing = { code: 0, codespace: '', log: '', info: '', index: 0n, proofOps: undefined, height: 0n };
    if (path === '/val') return { ...nothing, key: data, value: this.#validator(validatorRow(data)) ?? EMPTY };
    const value = this.#store.get(pairRow(data));
    return {
      ...nothing,
      log: value === undefined ? 'does not exist' : 'exists',
      index: prove ? -1n : 0n,
      key: data,
      value: value ?? EMPTY,
      height: this.#state.height,
    };
  }

  /** Validators of the genesis are answered before the first commit, too, as the example answers them. */
  #validator(row: Uint8Array): Uint8Array | undefined {
    for (const operation of this.#genesisRows)
      if (operation.type === 'put' && equal(operation.key, row)) return operation.value;
    return this.#store.get(row);
  }

  async checkTx(tx: Uint8Array): Promise<ResponseCheckTx> {
    return create(ResponseCheckTxSchema, isValidTransaction(tx) ? { gasWanted: 1n } : { code: INVALID_TRANSACTION });
  }

  async initChain({ validators }: AbciInitChain): Promise<AbciInitChainAnswer> {
    if (!validators.every(({ pubKey }) => isValidKey(pubKey)))
      throw new AbciRefused('a validator of the genesis document has a key of another type or size');
    const { state, rows } = genesisKvState(this.#state, validators);
    this.#state = state;
    this.#genesisRows = rows;
    return { consensusParams: undefined, validators: [], appHash: appHashOf(state) };
  }

  /** All valid transactions: the engine offers no more than fit, and this application makes none longer. */
  async prepareProposal({ txs }: AbciProposal): Promise<readonly Uint8Array[]> {
    return txs.filter(isValidTransaction).map(withEquals);
  }

  async processProposal({ txs }: AbciBlock): Promise<Verdict> {
    return txs.every(isValidTransaction) ? 'accept' : 'reject';
  }

  async extendVote(): Promise<Uint8Array> {
    return EMPTY;
  }

  async verifyVoteExtension(): Promise<Verdict> {
    return 'accept';
  }

  async finalizeBlock(block: AbciBlock): Promise<EncodedResults> {
    const { results, state, rows } = executeKvBlock(this.#crypto, this.#state, block);
    this.#next = { state, rows };
    return results;
  }

  async commit(): Promise<AbciCommitAnswer> {
    const { state, rows } = this.#next ?? { state: this.#state, rows: [stateOperation(this.#state)] };
    await this.#store.commit([...this.#genesisRows, ...rows], { sync: true });
    this.#state = state;
    this.#next = undefined;
    this.#genesisRows = [];
    return { retainHeight: toHeight(0n) };
  }

  async listSnapshots(): Promise<readonly AbciSnapshot[]> {
    return [];
  }

  async offerSnapshot(): Promise<SnapshotVerdict> {
    return 'abort';
  }

  async loadSnapshotChunk(): Promise<Uint8Array> {
    return EMPTY;
  }

  async applySnapshotChunk(): Promise<AbciChunkAnswer> {
    return { result: 'abort', refetchChunks: [], rejectSenders: [] };
  }
}
