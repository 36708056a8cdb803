import { create, toBinary } from '@bufbuild/protobuf';
import { completeCommit } from '../../src/core/comet/complete.js';
import { blockFromJson } from '../../src/core/comet/json/block-json.js';
import { commitFromJson, type CommitJson } from '../../src/core/comet/json/commit-json.js';
import { consensusParamsFromJson, type ConsensusParamUpdatesJson } from '../../src/core/comet/json/params-json.js';
import { resultsFromJson } from '../../src/core/comet/json/results-json.js';
import { validatorFromJson } from '../../src/core/comet/json/validator-json.js';
import { encodeBlock } from '../../src/core/comet/part-set.js';
import { fromHex } from '../../src/core/bytes/hex.js';
import { parseTime } from '../../src/core/comet/time.js';
import { sortedSet } from '../../src/core/comet/validator-set.js';
import { invariant } from '../../src/core/errors.js';
import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';
import { toHeight, toTimeNs } from '../../src/core/primitives.js';
import { ResponseFinalizeBlockSchema } from '../../src/core/proto/tendermint/abci/types_pb.js';
import { ConsensusParamsSchema } from '../../src/core/proto/tendermint/types/params_pb.js';
import { CommitSchema } from '../../src/core/proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema } from '../../src/core/proto/tendermint/types/validator_pb.js';
import { EncodedResults } from '../../src/core/comet/encoded-results.js';
import { blockIndexRows } from '../../src/store/log/block-index.js';
import { type EventLog, openEventLog } from '../../src/store/log/event-log.js';
import { indexFrom } from './rebuild-indexes.js';
import { blockEventsOf } from '../../src/store/index-rows/posting.js';
import { stateRows } from '../../src/store/state/latest.js';
import { createPureCrypto } from '../../src/runtime/host/crypto.js';
import { goldenLines } from './golden.js';
import { readRecordedChain } from './recorded-chain.js';

const crypto = createPureCrypto();

/**
 * Writes the recorded chain into an empty store as the node would have, without executing it: ChainStarted, then per
 * height BlockDecided and BlockExecuted in one append with state rows, block and transaction rows and postings. The
 * writes of genesis are in block 1, as in the SDK. Results of empty blocks above 230 were not recorded and are empty
 * here. `through` stops after a height.
 */
export async function buildRecordedLog(store: KeyValueStore, through = 714n): Promise<EventLog> {
  let now = toTimeNs(0n);
  const log = await openEventLog({ store, crypto, clock: { now: () => now }, sync: 'os' });
  const chain = readRecordedChain();
  const window = indexFrom(chain[0]?.height ?? toHeight(1n));
  await log.append([{ event: chainStarted(chain[0]?.validators) }]);
  for (const [index, { height, block: recorded, blockResults, commit, writes }] of chain.entries()) {
    if (height > through) break;
    const block = blockFromJson(recorded.block);
    const seen: CommitJson | null | undefined =
      chain[index + 1]?.block.block.last_commit ?? commit?.signed_header.commit;
    invariant(seen !== undefined && seen !== null, `the commit of height ${height} is recorded`);
    const results = blockResults === undefined ? create(ResponseFinalizeBlockSchema) : resultsFromJson(blockResults);
    const encodedResults = toBinary(ResponseFinalizeBlockSchema, { ...results, appHash: new Uint8Array() });
    now = parseTime(recorded.block.header.time) ?? now;
    await log.append(
      [
        {
          event: {
            type: 'BlockDecided',
            v: 1,
            data: {
              height,
              block: encodeBlock(block),
              commit: toBinary(CommitSchema, completeCommit(commitFromJson(seen))),
              trace: [],
            },
          },
        },
        {
          event: {
            type: 'BlockExecuted',
            v: 1,
            data: { height, results: encodedResults, writes, upgradeHeight: undefined },
          },
        },
      ],
      [
        ...stateRows(height, writes, (key) => store.get(key)),
        ...blockIndexRows({
          height,
          blockHash: fromHex(recorded.block_id.hash),
          txHashes: (block.data?.txs ?? []).map((tx) => [crypto.sha256(tx)]),
        }),
        ...window.add(blockEventsOf(height, new EncodedResults(encodedResults))),
      ],
    );
  }
  return log;
}

function chainStarted(recorded: ReturnType<typeof readRecordedChain>[number]['validators']) {
  const genesis = recordedGenesis();
  const validators = (recorded?.validators ?? []).map(validatorFromJson);
  return {
    type: 'ChainStarted',
    v: 1,
    data: {
      chainId: genesis.json.chain_id,
      evmChainId: 262_144n,
      bech32Prefix: 'cosmos',
      preset: 'evmd',
      genesis: genesis.bytes,
      initialHeight: toHeight(1n),
      validators: toBinary(ValidatorSetSchema, sortedSet(validators, validators[0])),
      consensusParams: toBinary(ConsensusParamsSchema, consensusParamsFromJson(genesis.json.consensus_params)),
      writes: [],
    },
  } as const;
}

/** The genesis document as the recorded node served it in chunks. */
function recordedGenesis(): {
  readonly bytes: Uint8Array;
  readonly json: { readonly chain_id: string; readonly consensus_params: ConsensusParamUpdatesJson };
} {
  const line = goldenLines<{ name: string; res: { body: string } }>('faces/comet-rpc.jsonl').find(
    ({ name }) => name === 'uri genesis_chunked',
  );
  const answer = JSON.parse(line?.res.body ?? '{}') as { result: { data: string } };
  const bytes = Uint8Array.from(Buffer.from(answer.result.data, 'base64'));
  return {
    bytes,
    json: JSON.parse(new TextDecoder().decode(bytes)) as {
      chain_id: string;
      consensus_params: ConsensusParamUpdatesJson;
    },
  };
}
