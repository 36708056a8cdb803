/** The key-value application over its socket gives the recorded answers of CometBFT's kvstore. */
import { readFileSync } from 'node:fs';
import { create, fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { parseAbciAddress } from '../../../src/adapters/abci/index.js';
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { resultsHash } from '../../../src/core/comet/body-hash.js';
import { EncodedResults } from '../../../src/core/comet/encoded-results.js';
import { blockFromJson } from '../../../src/core/comet/json/block-json.js';
import {
  blockResultsToJson,
  type BlockResultsJson,
  execTxResultToJson,
} from '../../../src/core/comet/json/results-json.js';
import {
  publicKeyFromJson,
  type PublicKeyJson,
  validatorFromJson,
} from '../../../src/core/comet/json/validator-json.js';
import { fromBase64, toBase64, toBase64OrNull } from '../../../src/core/bytes/base64.js';
import { utf8 } from '../../../src/core/bytes/bytes.js';
import { fromHex, upperHex } from '../../../src/core/bytes/hex.js';
import { toTimestamp } from '../../../src/core/comet/time.js';
import { ValidatorUpdateSchema } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { BlockIDFlag, ValidatorSetSchema } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { serveKvStore } from '../../support/kvstore/serve.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { AbciClient, type RequestValue, type ResponseValue } from '../../adapters/abci/abci-client.js';
import { goldenLines, goldenPath, hasGolden } from '../../support/golden.js';
import type { RecordedBlock, RecordedValidators } from '../../support/recorded-chain.js';

interface Line {
  readonly height: number;
  readonly block: RecordedBlock;
  readonly block_results?: BlockResultsJson;
  readonly validators: RecordedValidators;
}

interface Genesis {
  readonly chain_id: string;
  readonly validators: readonly { readonly pub_key: PublicKeyJson; readonly power: string }[];
}

interface RpcLine {
  readonly name: string;
  readonly req: { readonly path: string; readonly body?: string };
  readonly res: { readonly body: string };
}

async function engine(): Promise<AbciClient> {
  const address = parseAbciAddress((await serveKvStore()).abci);
  if (address === undefined) throw new Error('a served application has an address');
  return AbciClient.connect(address);
}

/** The values of ABCI responses, by method. */
type Answers = { [Answer in ResponseValue as NonNullable<Answer['case']>]: Answer['value'] };

async function call<Case extends RequestValue['case'] & keyof Answers>(
  client: AbciClient,
  request: RequestValue & { readonly case: Case },
): Promise<Answers[Case]> {
  const answer = await client.call(request);
  if (answer.case !== request.case) throw new Error(`${answer.case} in place of ${request.case}`);
  return answer.value as Answers[Case];
}

const FLAGS = {
  absent: BlockIDFlag.BLOCK_ID_FLAG_ABSENT,
  commit: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
  nil: BlockIDFlag.BLOCK_ID_FLAG_NIL,
} as const;

describe.skipIf(!hasGolden)('the key-value application replays a recorded chain of CometBFT', () => {
  it.each([
    ['single', 15],
    ['net4', 31],
    ['net4b', 25],
  ])('%s', async (name, count) => {
    const client = await engine();
    const genesis: Genesis = JSON.parse(readFileSync(goldenPath(`simple-kv/${name}-genesis.json`), 'utf8'));
    const validators = genesis.validators.map((validator) => ({
      pubKey: publicKeyFromJson(validator.pub_key),
      power: BigInt(validator.power),
    }));
    const { appHash } = await call<'initChain'>(client, {
      case: 'initChain',
      value: { chainId: genesis.chain_id, validators, initialHeight: 1n },
    });
    const lines = goldenLines<Line>(`simple-kv/${name}-blocks.jsonl`);
    expect(lines).toHaveLength(count);
    let last = { appHash: upperHex(appHash), resultsHash: undefined as string | undefined };
    for (const [index, line] of lines.entries()) {
      const { header } = line.block.block;
      expect(header.app_hash).toBe(last.appHash);
      if (last.resultsHash !== undefined) expect(header.last_results_hash).toBe(last.resultsHash);
      const before = lines[index - 1]?.validators.validators.map(validatorFromJson);
      const answer = await call<'finalizeBlock'>(client, finalizeRequest(line, before ?? []));
      const results = EncodedResults.of(answer).withAppHash(answer.appHash);
      if (line.block_results !== undefined)
        expect(JSON.stringify(blockResultsToJson(BigInt(line.height), results))).toBe(
          JSON.stringify(line.block_results),
        );
      await call<'commit'>(client, { case: 'commit', value: {} });
      last = {
        appHash: upperHex(answer.appHash),
        resultsHash: upperHex(resultsHash(await createHostCrypto(), results)),
      };
      // Validator updates of this block take effect two blocks later.
      for (const { pub_key: key, voting_power: power } of lines[index + 2]?.validators.validators ?? []) {
        const data = publicKeyFromJson(key).sum.value ?? new Uint8Array(0);
        const { value } = await call<'query'>(client, { case: 'query', value: { path: '/val', data } });
        expect(fromBinary(ValidatorUpdateSchema, value.subarray(1)).power).toBe(BigInt(power));
      }
      if (name === 'single' && line.height === 9) await compareRpc(client);
    }
  });
});

function finalizeRequest(
  { block }: Line,
  before: readonly ReturnType<typeof validatorFromJson>[],
): Extract<RequestValue, { readonly case: 'finalizeBlock' }> {
  const decoded = blockFromJson(block.block);
  const facts = blockFacts(decoded, create(ValidatorSetSchema, { validators: [...before] }));
  return {
    case: 'finalizeBlock',
    value: {
      txs: decoded.data?.txs ?? [],
      decidedLastCommit: {
        round: facts.lastCommitRound,
        votes: facts.lastCommitVotes.map(({ address, power, flag }) => ({
          validator: { address, power },
          blockIdFlag: FLAGS[flag],
        })),
      },
      hash: fromHex(block.block_id.hash.toLowerCase()),
      height: facts.height,
      time: toTimestamp(facts.time),
      nextValidatorsHash: facts.nextValidatorsHash,
      proposerAddress: facts.proposerAddress,
    },
  };
}

/** The answers of the recorded node's RPC that are the application's own, at height 9. */
async function compareRpc(client: AbciClient): Promise<void> {
  let compared = 0;
  for (const { req, res } of goldenLines<RpcLine>('simple-kv/single-rpc.jsonl')) {
    const url = new URL(req.path, 'http://recorded');
    const result: unknown = JSON.parse(res.body.startsWith('{') ? res.body : '{}').result;
    const params = url.searchParams;
    if (url.pathname === '/abci_info') {
      const info = await call<'info'>(client, { case: 'info', value: { version: '0.38.25' } });
      expect(result).toEqual({
        response: {
          data: info.data,
          version: info.version,
          app_version: `${info.appVersion}`,
          last_block_height: `${info.lastBlockHeight}`,
          last_block_app_hash: toBase64(info.lastBlockAppHash),
        },
      });
    } else if (url.pathname === '/abci_query') {
      const path = (params.get('path') ?? '').replaceAll('"', '');
      const data = dataOf(params.get('data') ?? '');
      const prove = params.get('prove') === 'true';
      const query = await call<'query'>(client, { case: 'query', value: { path, data, prove } });
      expect(result).toEqual({
        response: {
          code: query.code,
          log: query.log,
          info: query.info,
          index: `${query.index}`,
          key: toBase64OrNull(query.key),
          value: toBase64OrNull(query.value),
          proofOps: null,
          height: `${query.height}`,
          codespace: query.codespace,
        },
      });
    } else if (req.body?.includes('"check_tx"') === true) {
      const tx = fromBase64((JSON.parse(req.body) as { readonly params: { readonly tx: string } }).params.tx);
      expect(result).toEqual(execTxResultToJson(await call<'checkTx'>(client, { case: 'checkTx', value: { tx } })));
    } else continue;
    compared += 1;
  }
  expect(compared).toBe(7);
}

/** Arguments of the URI form: text in quotes, or hexadecimal digits after 0x. */
function dataOf(argument: string): Uint8Array {
  return argument.startsWith('0x') ? fromHex(argument.slice(2)) : utf8(argument.replaceAll('"', ''));
}
