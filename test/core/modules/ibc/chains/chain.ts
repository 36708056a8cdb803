/** A chain in memory with real headers and proofs, for the light client of another chain. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeTransaction } from '../../../../../src/core/ethereum/transaction-codec.js';
import type { EvmEngineFactory } from '../../../../../src/core/evm/engine.js';
import { wrapEthereumTransaction } from '../../../../../src/core/modules/evm/ethereum-message.js';
import { createEngineFactory } from '../../../../../src/runtime/evm/create-engine-factory.js';
import { loadEngineModule } from '../../../../../src/runtime/evm/load-engine.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { createApplication } from '../../../../../src/core/app/create-application.js';
import { evmd } from '../../../../../src/core/app/presets.js';
import { utf8 } from '../../../../../src/core/bytes/bytes.js';
import { ed25519Address } from '../../../../../src/core/comet/address.js';
import { headerHash } from '../../../../../src/core/comet/header-hash.js';
import { emptyCommit, makeBlock } from '../../../../../src/core/comet/make-block.js';
import { toTimestamp } from '../../../../../src/core/comet/time.js';
import { voteSignBytes } from '../../../../../src/core/comet/vote.js';
import { createMultistore, type Multistore } from '../../../../../src/core/multistore/multistore.js';
import { exportGenesis } from '../../../../../src/core/genesis/export-genesis.js';
import { devGenesis } from '../../../../../src/core/genesis/dev-genesis.js';
import { genesisTokens } from '../../../../../src/core/genesis/genesis-sections.js';
import { parseGenesis } from '../../../../../src/core/genesis/genesis-document.js';
import { toHeight, toTimeNs } from '../../../../../src/core/primitives.js';
import { CommitmentProofSchema } from '../../../../../src/core/proto/cosmos/ics23/v1/proofs_pb.js';
import { MerkleProofSchema } from '../../../../../src/core/proto/ibc/core/commitment/v1/commitment_pb.js';
import { ConsensusParamsSchema } from '../../../../../src/core/proto/tendermint/types/params_pb.js';
import {
  type BlockID,
  BlockIDSchema,
  type Commit,
  CommitSchema,
  type Header,
  SignedMsgType,
} from '../../../../../src/core/proto/tendermint/types/types_pb.js';
import {
  BlockIDFlag,
  type Validator,
  ValidatorSchema,
} from '../../../../../src/core/proto/tendermint/types/validator_pb.js';
import { sortedSet } from '../../../../../src/core/comet/validator-set.js';
import { encodeAddress } from '../../../../../src/core/sdk/codec/address.js';
import { consensusStateKey } from '../../../../../src/core/modules/ibc/keys.js';
import { BlockScope } from '../../../../../src/core/sdk/module/block-scope.js';
import type { ChainConfig } from '../../../../../src/core/sdk/module/chain-config.js';
import type { Context } from '../../../../../src/core/sdk/module/context.js';
import { GasMeter } from '../../../../../src/core/sdk/module/gas.js';
import { MessageRouter } from '../../../../../src/core/sdk/module/message-router.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import type { AppVersion } from '../../../../../src/core/sdk/module/app-version.js';
import { addressOf } from '../../../../../src/core/sdk/signing/public-key.js';
import type { StateWrite } from '../../../../../src/core/state/state.js';
import { publicKeyOf } from '../../../../support/secp256k1.js';
import { anyOf, signTx } from '../../../../support/sign-tx.js';
import { encode } from '../../../../support/encode.js';
import { getAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { crypto, PLAIN_BLOCK, stateOf } from '../../../app/support.js';

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000n;
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that signs blocks. */
export class Signer {
  readonly #key;
  readonly publicKey: Uint8Array;

  constructor(seed: number) {
    this.#key = createPrivateKey({
      key: Buffer.concat([PKCS8, Buffer.alloc(32, seed)]),
      format: 'der',
      type: 'pkcs8',
    });
    this.publicKey = new Uint8Array(createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(-32));
  }

  sign(message: Uint8Array): Uint8Array {
    return new Uint8Array(sign(null, message, this.#key));
  }

  validator(votingPower: bigint): Validator {
    return create(ValidatorSchema, {
      address: ed25519Address(crypto, this.publicKey),
      pubKey: { sum: { case: 'ed25519', value: this.publicKey } },
      votingPower,
    });
  }
}

/** A block as a light client sees it. */
export interface Shown {
  readonly header: Header;
  readonly commit: Commit;
}

/** The commit of a header, signed by these validators in the order of the set. */
export function commitOf(header: Header, signers: readonly Signer[]): Commit {
  const blockId: BlockID = create(BlockIDSchema, {
    hash: headerHash(crypto, header),
    partSetHeader: { total: 1, hash: new Uint8Array(32).fill(9) },
  });
  const { height } = header;
  return create(CommitSchema, {
    height,
    blockId,
    signatures: signers.map((signer) => {
      const timestamp = header.time ?? toTimestamp(toTimeNs(START));
      return {
        blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
        validatorAddress: ed25519Address(crypto, signer.publicKey),
        timestamp,
        signature: signer.sign(
          voteSignBytes(header.chainId, { type: SignedMsgType.PRECOMMIT, height, round: 0, blockId, timestamp }),
        ),
      };
    }),
  });
}

const nameOf = (store: string, key: Uint8Array): string => `${store} ${Buffer.from(key).toString('hex')}`;

/** A key of an account, the same on each chain. */
const secretOf = (index: number): Uint8Array => crypto.sha256(Uint8Array.of(index + 1));

export interface ChainOptions {
  readonly version?: AppVersion;
  readonly prefix?: string;
  readonly denom?: string;
  /** Seeds of the keys of validators of equal power. */
  readonly validators?: readonly number[];
  /** The chain has an EVM. */
  readonly evm?: boolean;
  /** Nanoseconds that the chain's genesis is later than `START`. */
  readonly offset?: bigint;
  /** Sections of the genesis in place of the ordinary ones. */
  readonly sections?: Readonly<Record<string, unknown>>;
}

/** A context that fails when it is asked for the EVM. */
export function withoutEvm(context: Context, mode: Context['mode']): Context {
  return Object.defineProperty({ ...context, mode }, 'evm', {
    get() {
      throw new Error('asked for the EVM');
    },
  });
}

export class IbcChain {
  readonly prefix: string;
  readonly denom: string;
  readonly signers: readonly Signer[];
  readonly blocks: Shown[] = [];
  now: bigint;
  height = 0n;
  readonly state: CacheStore;
  /** Results of the last block's transactions. */
  results: readonly ExecTxResult[] = [];
  #app;
  readonly #version: AppVersion;
  readonly #evm: { readonly evm?: EvmEngineFactory };
  readonly #chain: ChainConfig;
  readonly #trees: Multistore;
  /** Old values of the entries that each block changed, by height. */
  readonly #before = new Map<bigint, ReadonlyMap<string, Uint8Array | undefined>>();
  /** Number of transactions of an account that are in no block yet. */
  readonly #waiting = new Map<number, bigint>();
  #appHash: Uint8Array;

  constructor(
    readonly chainId: string,
    options: ChainOptions = {},
  ) {
    const { version = evmd, prefix = 'cosmos', denom = 'atoken', validators = [1], offset = 0n } = options;
    this.prefix = prefix;
    this.denom = denom;
    this.now = START + offset;
    this.signers = validators.map((seed) => new Signer(seed));
    const config = { chainId, evmChainId: 4_321n, bech32Prefix: prefix, baseDenom: denom, minGasPrice: 0n };
    const document = devGenesis(crypto, {
      chainId,
      time: toTimeNs(this.now),
      accounts: [0, 1, 2, 3].map((index) => this.account(index)),
      validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1000n, name: 'dev' }],
      baseDenom: denom,
    });
    const present = new Set(version.modules.map(({ name }) => name));
    const sections = Object.fromEntries(
      Object.entries({ ...document.app_state, ...options.sections }).filter(([name]) => present.has(name)),
    );
    const genesis = parseGenesis(JSON.parse(JSON.stringify({ ...document, app_state: sections })));
    if (!genesis.ok) throw new Error(genesis.message);
    const chain = { ...config, ...genesisTokens(genesis.genesis) };
    this.#evm = options.evm === true ? { evm: createEngineFactory(loadEngineModule(), crypto) } : {};
    this.#app = createApplication({ version, chain, crypto, ...this.#evm });
    this.#version = version;
    this.#chain = chain;
    const { writes } = this.#app.initChain(genesis.genesis);
    this.state = stateOf(writes);
    this.#trees = createMultistore({ stores: version.stores, crypto });
    this.#trees.apply(writes);
    this.#appHash = new Uint8Array(32);
  }

  /** The address of an account. */
  account(index: number): string {
    return encodeAddress(this.prefix, this.accountBytes(index));
  }

  accountBytes(index: number): Uint8Array {
    const bytes = addressOf(crypto, { kind: 'eth_secp256k1', key: publicKeyOf(secretOf(index)) });
    if (bytes === undefined) throw new Error('key');
    return bytes;
  }

  /** The validators that sign each block. */
  get validators() {
    const set = sortedSet(
      this.signers.map((signer) => signer.validator(10n)),
      this.signers[0]?.validator(10n),
    );
    return set;
  }

  /** Signers in the order of the set. */
  get ordered(): readonly Signer[] {
    return this.validators.validators.map(({ address }) => {
      const found = this.signers.find(
        ({ publicKey }) => Buffer.compare(ed25519Address(crypto, publicKey), address) === 0,
      );
      if (found === undefined) throw new Error('signer');
      return found;
    });
  }

  /** A signed transaction of one account; its sequence follows those of the account that are in no block yet. */
  tx(from: number, messages: readonly Any[], gasLimit = 5_000_000n): Uint8Array {
    const waiting = this.#waiting.get(from) ?? 0n;
    this.#waiting.set(from, waiting + 1n);
    const sequence = (getAccount(this.context(), this.accountBytes(from))?.base.sequence ?? 0n) + waiting;
    return signTx(
      {
        messages,
        memo: '',
        fee: { amount: [{ denom: this.denom, amount: gasLimit * 2_000_000_000n }], gasLimit },
        chainId: this.chainId,
        accountNumber: BigInt(from),
        sequence,
      },
      secretOf(from),
    );
  }

  /** Makes the header of the next block, `seconds` after the one before, and signs it. */
  decide(txs: readonly Uint8Array[] = [], seconds = 5n): Header {
    this.now += seconds * SECOND;
    const set = this.validators;
    const { header } = makeBlock(crypto, {
      chainId: this.chainId,
      height: toHeight(this.height + 1n),
      time: toTimeNs(this.now),
      txs,
      lastCommit: emptyCommit(),
      lastBlockId: undefined,
      validators: set,
      nextValidators: set,
      consensusParams: create(ConsensusParamsSchema),
      appHash: this.#appHash,
      lastResultsHash: new Uint8Array(32),
      proposerAddress: set.validators[0]?.address ?? new Uint8Array(20),
    });
    if (header === undefined) throw new Error('header');
    this.blocks.push({ header, commit: commitOf(header, this.ordered) });
    return header;
  }

  /** Decides and executes the next block, `seconds` after the one before. */
  block(txs: readonly Uint8Array[] = [], seconds = 5n): readonly ExecTxResult[] {
    const header = this.decide(txs, seconds);
    const height = toHeight(this.height + 1n);
    const result = this.#app.finalizeBlock(this.state, {
      ...PLAIN_BLOCK,
      height,
      time: toTimeNs(this.now),
      chainId: this.chainId,
      nextValidatorsHash: header.nextValidatorsHash,
      txs: [...txs],
    });
    if (result.kind !== 'executed') throw new Error(result.reason);
    this.#write(height, result.writes);
    this.#trees.apply(result.writes);
    this.#appHash = this.#trees.commit(height).appHash;
    this.height = height;
    this.#waiting.clear();
    this.results = result.results.txResults;
    return this.results;
  }

  /** Executes a transaction of an account in a block, then makes the block whose header has the app hash. */
  send(messages: readonly Any[], from = 0): ExecTxResult {
    const [result] = this.block([this.tx(from, messages)]);
    if (result === undefined) throw new Error('no result');
    this.block();
    return result;
  }

  /** Calls a contract as `eth_call` does, in the latest state by default; returns the output. */
  call(to: Hex, data: Hex, state = this.state): Hex {
    const at = { ...this.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
    const call = { to: hexToBytes(to), data: hexToBytes(data) };
    const result = this.#app.ethereum?.call(new CacheStore(state), at, call, [], {});
    if (result?.kind !== 'success') throw new Error(JSON.stringify(result, (_, value) => String(value)));
    return bytesToHex(result.output);
  }

  /** Executes an Ethereum transaction in a block, then makes the block whose header has the app hash. */
  async transact(from: number, to: Hex, data: Hex): Promise<ExecTxResult> {
    const raw = hexToBytes(
      await privateKeyToAccount(bytesToHex(secretOf(from))).signTransaction({
        type: 'eip1559',
        chainId: Number(this.#chain.evmChainId),
        nonce: Number(getAccount(this.context(), this.accountBytes(from))?.base.sequence ?? 0n),
        gas: 1_000_000n,
        maxFeePerGas: 2_000_000_000n,
        maxPriorityFeePerGas: 0n,
        to,
        data,
      }),
    );
    const decoded = decodeTransaction(raw);
    if (!decoded.ok) throw new Error(decoded.message);
    const [result] = this.block([
      wrapEthereumTransaction(raw, decoded.transaction, this.accountBytes(from), this.denom),
    ]);
    if (result === undefined) throw new Error('no result');
    this.block();
    return result;
  }

  /** Writes to the state, and keeps the old values. */
  #write(height: bigint, writes: readonly StateWrite[]): void {
    const before = new Map(this.#before.get(height));
    for (const { store, key, value } of writes) {
      const name = nameOf(store, key);
      if (!before.has(name)) before.set(name, this.state.get(store, key));
      if (value === undefined) this.state.delete(store, key);
      else this.state.set(store, key, value);
    }
    this.#before.set(height, before);
  }

  #valueAt(height: bigint, store: string, key: Uint8Array): Uint8Array | undefined {
    const name = nameOf(store, key);
    for (let after = height + 1n; after <= this.height + 1n; after += 1n) {
      const before = this.#before.get(after);
      if (before?.has(name) === true) return before.get(name);
    }
    return this.state.get(store, key);
  }

  /** Puts a value into the state and the trees, so that the next app hash covers it. */
  put(store: string, key: Uint8Array, value: Uint8Array): void {
    this.#write(this.height + 1n, [{ store, key, value }]);
    this.#trees.apply([{ store, key, value }]);
  }

  /** Replaces the application by a new one over the same state, as a restart of the process does. */
  restart(): void {
    this.#app = createApplication({ version: this.#version, chain: this.#chain, crypto, ...this.#evm });
  }

  /** Applies the writes of a context that `context()` made. */
  keep({ store }: Context): void {
    if (!(store instanceof CacheStore)) throw new Error('another context');
    const writes = store.writes();
    this.#write(this.height + 1n, writes);
    this.#trees.apply(writes);
  }

  /** The highest height, at most `from`, for which the client has a consensus state of the other chain. */
  knownHeight(clientId: string, from: bigint): bigint {
    for (let height = from; height > 0n; height -= 1n)
      for (const revisionNumber of [1n, 4n])
        if (this.value(consensusStateKey(clientId, { revisionNumber, revisionHeight: height })) !== undefined)
          return height;
    return 0n;
  }

  /** The state as keepers read it. */
  context(): Context {
    return {
      ...this.at(),
      store: new CacheStore(this.state),
      gas: new GasMeter(undefined),
      events: [],
      mode: 'query',
      version: this.#version,
      chain: this.#chain,
      crypto,
      router: new MessageRouter(this.#version),
      block: BlockScope.none(),
      evm: undefined,
      txBytes: new Uint8Array(),
    };
  }

  /** The modules' sections of an exported genesis. */
  exported(): Readonly<Record<string, unknown>> {
    return JSON.parse(
      JSON.stringify(exportGenesis(this.state, { version: this.#version, chain: this.#chain, crypto, at: this.at() })),
    );
  }

  /** Runs CheckTx over the state after the last block: codespace, code and log. */
  check(tx: Uint8Array): string {
    const { codespace, code, log } = this.#app.checkTx(this.#app.createCheckState(this.state, this.at()), tx);
    return `${codespace} ${code}: ${log}`;
  }

  at() {
    return { chainId: this.chainId, height: toHeight(this.height), time: toTimeNs(this.now) };
  }

  /** The block of a height. */
  shown(height: bigint): Shown {
    const found = this.blocks[Number(height) - 1];
    if (found === undefined) throw new Error(`no block ${height}`);
    return found;
  }

  /** The proof of a key of a store after a height: encoded `ibc.core.commitment.v1.MerkleProof`. */
  prove(key: Uint8Array, height: bigint, store = 'ibc'): Uint8Array {
    const proved = this.#trees.prove(store, key, toHeight(height), (name, each) => this.#valueAt(height, name, each));
    if (!proved.ok) throw new Error(proved.error.code);
    return toBinary(
      MerkleProofSchema,
      create(MerkleProofSchema, { proofs: proved.ops.map(({ data }) => fromBinary(CommitmentProofSchema, data)) }),
    );
  }

  value(key: Uint8Array, store = 'ibc'): Uint8Array | undefined {
    return this.state.get(store, key);
  }

  query<In extends DescMessage, Out extends DescMessage>(
    path: string,
    input: In,
    request: MessageInitShape<In>,
    output: Out,
  ) {
    const answer = this.#app.query(this.state, this.at(), path, encode(input, request));
    if (!answer.ok) throw new Error(answer.log);
    return fromBinary(output, answer.value);
  }
}

export { anyOf, utf8 };
