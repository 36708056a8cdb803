/** One chain executed by evmd and by this program, which get the same requests. */
import { create } from '@bufbuild/protobuf';
import { createHash } from 'node:crypto';
import { blockOf } from '../../src/adapters/abci/read-request.js';
import { upperHex } from '../../src/core/bytes/hex.js';
import type { EncodedResults } from '../../src/core/comet/encoded-results.js';
import { parseTime, toTimestamp } from '../../src/core/comet/time.js';
import { invariant } from '../../src/core/errors.js';
import { toTimeNs } from '../../src/core/primitives.js';
import {
  type Misbehavior,
  RequestFinalizeBlockSchema,
  type ResponseCheckTx,
  type ResponseFinalizeBlock,
  type ResponseQuery,
} from '../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockIDFlag } from '../../src/core/proto/tendermint/types/validator_pb.js';
import { resultDifference } from '../../src/cli/compare/differences.js';
import { createHostCrypto } from '../../src/runtime/host/crypto.js';
import { MemoryStore } from '../support/memory-store.js';
import { started } from '../node/abci/engine-node.js';
import { type Evmd, startEvmd } from './evmd.js';

export interface PairedBlock {
  readonly height: bigint;
  readonly ours: EncodedResults;
  readonly theirs: ResponseFinalizeBlock;
  /** First difference as text; undefined if results, events and app hash are equal. */
  readonly difference: string | undefined;
}

export interface BlockOptions {
  /** Seconds since the previous block, possibly fractional; the default is 1. */
  readonly seconds?: number;
  /** Consensus addresses (lower-case hex) of validators that did not sign the previous block. */
  readonly absent?: ReadonlySet<string>;
  readonly misbehavior?: readonly Misbehavior[];
}

export interface Validator {
  readonly address: Uint8Array;
  readonly power: bigint;
}

export interface Pair {
  readonly evmd: Evmd;
  readonly ours: Awaited<ReturnType<typeof started>>;
  height(): bigint;
  /** Time of the newest block, nanoseconds. */
  time(): bigint;
  /** Validators whose votes are in the next block, by consensus address in hex. */
  validators(): ReadonlyMap<string, Validator>;
  /** Executes and commits one block on both. */
  block(txs: readonly Uint8Array[], options?: BlockOptions): Promise<PairedBlock>;
  check(tx: Uint8Array): Promise<{ readonly ours: ResponseCheckTx; readonly theirs: ResponseCheckTx }>;
  /** Runs a query by gRPC path; height 0 is the newest. */
  query(
    path: string,
    data: Uint8Array,
    height?: bigint,
    prove?: boolean,
  ): Promise<{ readonly ours: OurAnswer; readonly theirs: ResponseQuery }>;
  stop(): Promise<void>;
}

type OurAnswer = Awaited<ReturnType<Awaited<ReturnType<typeof started>>['engine']['query']>>;

interface GenesisDocument {
  readonly chain_id: string;
  readonly genesis_time: string;
  readonly app_state: unknown;
  readonly consensus: { readonly params: ConsensusJson };
}

interface ConsensusJson {
  readonly block: { readonly max_bytes: string; readonly max_gas: string };
  readonly evidence: {
    readonly max_age_num_blocks: string;
    readonly max_age_duration: string;
    readonly max_bytes: string;
  };
  readonly validator: { readonly pub_key_types: readonly string[] };
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Starts a chain from a genesis document in the SDK's form in both programs, and compares the first validators. */
export async function startPair(binary: string, genesis: Uint8Array, evmChainId: bigint): Promise<Pair> {
  const evmd = await startEvmd(binary, genesis, evmChainId);
  const crypto = await createHostCrypto();
  const ours = await started(new MemoryStore(), { founded: { genesis, preset: 'evmd', evmChainId }, crypto });
  const document = JSON.parse(Buffer.from(genesis).toString('utf8')) as GenesisDocument;
  const { params } = document.consensus;
  const genesisTime = parseTime(document.genesis_time);
  invariant(genesisTime !== undefined, 'the genesis has a time');
  let time: bigint = genesisTime;
  const begun = await evmd.call({
    case: 'initChain',
    value: {
      time: toTimestamp(toTimeNs(time)),
      chainId: document.chain_id,
      initialHeight: 1n,
      appStateBytes: Buffer.from(JSON.stringify(document.app_state)),
      consensusParams: {
        block: { maxBytes: BigInt(params.block.max_bytes), maxGas: BigInt(params.block.max_gas) },
        evidence: {
          maxAgeNumBlocks: BigInt(params.evidence.max_age_num_blocks),
          maxAgeDuration: {
            seconds: BigInt(params.evidence.max_age_duration) / 1_000_000_000n,
            nanos: Number(BigInt(params.evidence.max_age_duration) % 1_000_000_000n),
          },
          maxBytes: BigInt(params.evidence.max_bytes),
        },
        validator: { pubKeyTypes: [...params.validator.pub_key_types] },
        version: {},
        abci: {},
      },
    },
  });
  type Updates = ResponseFinalizeBlock['validatorUpdates'];
  const apply = (before: ReadonlyMap<string, Validator>, updates: Updates): ReadonlyMap<string, Validator> => {
    const after = new Map(before);
    for (const { pubKey, power } of updates) {
      invariant(pubKey?.sum.case === 'ed25519', 'validators have ed25519 keys');
      const address = Uint8Array.from(sha256(pubKey.sum.value).subarray(0, 20));
      const key = Buffer.from(address).toString('hex');
      if (power === 0n) after.delete(key);
      else after.set(key, { address, power });
    }
    return after;
  };
  let height = 0n;
  // The validators of the block before (whose votes a block holds), of this block, and of the next one.
  let last: ReadonlyMap<string, Validator> = new Map();
  let current = apply(new Map(), begun.validators);
  let next = current;
  return {
    evmd,
    ours,
    height: () => height,
    time: () => time,
    validators: () => last,
    async block(txs, { seconds = 1, absent = new Set(), misbehavior = [] } = {}) {
      height += 1n;
      if (height > 1n) time += BigInt(Math.round(seconds * 1e9));
      const proposer = [...current.values()][Number(height) % current.size];
      invariant(proposer !== undefined, 'there is a validator');
      const value = create(RequestFinalizeBlockSchema, {
        height,
        time: toTimestamp(toTimeNs(time)),
        hash: sha256(Buffer.from(`block ${height}`)),
        nextValidatorsHash: sha256(...[...next.keys()].map((key) => Buffer.from(key))),
        proposerAddress: proposer.address,
        decidedLastCommit: {
          round: 0,
          votes: [...last].map(([key, validator]) => ({
            validator,
            blockIdFlag: absent.has(key) ? BlockIDFlag.BLOCK_ID_FLAG_ABSENT : BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
          })),
        },
        misbehavior: [...misbehavior],
        txs: [...txs],
      });
      const [theirs, mine] = await Promise.all([
        evmd.call({ case: 'finalizeBlock', value }),
        ours.engine.finalizeBlock(blockOf(value)),
      ]);
      await Promise.all([evmd.call({ case: 'commit', value: {} }), ours.engine.commit()]);
      [last, current, next] = [current, next, apply(next, theirs.validatorUpdates)];
      const hashes = [upperHex(mine.appHash), upperHex(theirs.appHash)];
      const difference =
        resultDifference(mine, theirs) ??
        (hashes[0] === hashes[1] ? undefined : `app hash: ours ${hashes[0]}, theirs ${hashes[1]}`);
      return { height, ours: mine, theirs, difference };
    },
    async check(tx) {
      const [theirs, mine] = await Promise.all([
        evmd.call({ case: 'checkTx', value: { tx } }),
        ours.engine.checkTx(tx, 'new'),
      ]);
      return { ours: mine, theirs };
    },
    async query(path, data, at = 0n, prove = false) {
      const request = { path, data, height: at, prove };
      const [theirs, mine] = await Promise.all([
        evmd.call({ case: 'query', value: request }),
        ours.engine.query(request as never),
      ]);
      return { ours: mine, theirs };
    },
    async stop() {
      await evmd.stop();
      await ours.node.stop();
    },
  };
}
