import { describe, expect, it } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import type { ChainConfig } from '../../../src/core/sdk/module/chain-config.js';
import { evmd } from '../../../src/core/app/presets.js';
import { abciQueryError } from '../../../src/core/sdk/module/query-error.js';
import { parseTime } from '../../../src/core/comet/time.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import type { StateWrite } from '../../../src/core/state/state.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { crypto, fromHex, stateOf, toHex } from './support.js';
import { recordedWrites } from './recorded-state.js';

interface Call {
  readonly method: string;
  readonly request: unknown;
  readonly request_hex?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly code: string;
  readonly message?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly response_hex?: string;
}
interface RecordedTime {
  readonly height: number;
  readonly block: { readonly block: { readonly header: { readonly time: string } } };
}
interface Writes {
  readonly height: number;
  readonly writes: Readonly<Record<string, readonly (readonly [string, string | null])[]>>;
}

const STORES = [
  'acc',
  'authz',
  'bank',
  'consensus',
  'distribution',
  'erc20',
  'evm',
  'evidence',
  'feegrant',
  'gov',
  'ibc',
  'mint',
  'slashing',
  'staking',
  'transfer',
  'upgrade',
];
const SERVICES =
  /^(?:ibc\.(?:applications\.transfer|core\.(?:channel|client|connection))\.v[12]\.Query\/|cosmos\.(authz?|bank|evm\.erc20|evm\.precisebank|consensus|distribution|evidence|feegrant|gov|mint|slashing|staking|upgrade)\.v1(beta1)?\.Query\/)/;
const STATUS: Readonly<Record<string, string>> = {
  NOT_FOUND: 'NotFound',
  INVALID_ARGUMENT: 'InvalidArgument',
  INTERNAL: 'Internal',
};
const chain: ChainConfig = {
  chainId: '9001',
  evmChainId: 262144n,
  bech32Prefix: 'cosmos',
  baseDenom: 'atest',
  minGasPrice: 0n,
};
const app = createApplication({ version: evmd, chain, crypto });

/** Recorded state of these stores after the commit of `height`. */
function stateAt(height: number): ReturnType<typeof stateOf> {
  const [from, name] = height < 224 ? [2, 'state-000002'] : [224, 'state-000224'];
  const base = recordedWrites(name).filter(({ store }) => STORES.includes(store));
  const later = goldenLines<Writes>('chain-a/writes.jsonl')
    .filter((line) => line.height > from && line.height <= height)
    .flatMap(({ writes }) =>
      STORES.flatMap((store) =>
        (writes[store] ?? []).map(([k, v]): StateWrite => ({
          store,
          key: fromHex(k),
          value: v === null ? undefined : fromHex(v),
        })),
      ),
    );
  return stateOf([...base, ...later]);
}

/**
 * The expected answer of a recorded query. The router, not the module, refuses an unknown method of a known
 * service.
 */
function expected({ code, message = '', response_hex: response = '' }: Call): unknown {
  if (code === 'OK') return response;
  const registered = /^codespace (\w+) code (\d+): ([^:]*)(?:: (.*))?$/.exec(message);
  if (registered !== null)
    return {
      codespace: registered[1],
      code: Number(registered[2]),
      log: registered[4] === undefined ? registered[3] : `${registered[4]}: ${registered[3]}`,
    };
  // A plain Go error that no module registers.
  if (code === 'UNKNOWN') return { codespace: 'undefined', code: 1, log: message };
  return expect.objectContaining({
    log: expect.stringMatching(
      new RegExp(`^rpc error: code = ${STATUS[code]} desc = ${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}: `),
    ),
  });
}

describe('a failed query over abci_query', () => {
  it.each([
    // the output of the Go CLI for `query upgrade module_versions nope`, without the status that the CLI adds
    [
      {
        codespace: 'upgrade',
        code: 2,
        log: 'x/upgrade: QueryModuleVersions module nope not found: module version not found',
      },
      {
        codespace: 'sdk',
        code: 6,
        log: 'x/upgrade: QueryModuleVersions module nope not found: module version not found: unknown request',
      },
    ],
    [
      { codespace: 'undefined', code: 1, log: 'why' },
      { codespace: 'sdk', code: 18, log: 'why: invalid request' },
    ],
    [
      { codespace: 'sdk', code: 22, log: 'rpc error: code = NotFound desc = account x not found: key not found' },
      { codespace: 'sdk', code: 22, log: 'rpc error: code = NotFound desc = account x not found: key not found' },
    ],
    [
      { codespace: 'sdk', code: 6, log: 'unknown query path: unknown request' },
      { codespace: 'sdk', code: 6, log: 'unknown query path: unknown request' },
    ],
  ])('gets the SDK code of its error: %j', (error, shown) => {
    expect(abciQueryError(error)).toEqual(shown);
  });
});

describe.skipIf(!hasGolden)('recorded queries', () => {
  const calls = hasGolden
    ? goldenLines<Partial<Call>>('faces/grpc.jsonl').filter(
        (call): call is Call =>
          SERVICES.test(call.method ?? '') && call.header?.['x-cosmos-block-height'] !== undefined,
      )
    : [];
  const states = new Map<string, ReturnType<typeof stateOf>>();
  const times = new Map(
    (hasGolden ? goldenLines<RecordedTime>('chain-a/blocks.jsonl') : []).map(({ height, block }) => [
      String(height),
      parseTime(block.block.header.time),
    ]),
  );

  it('are more than 70', () => expect(calls.length).toBeGreaterThan(70));

  it.each(
    calls.map((call) => ({
      title: `${call.method} ${JSON.stringify(call.request)} at ${call.header?.['x-cosmos-block-height'] ?? ''}`,
      call,
    })),
  )('$title', ({ call }) => {
    const height = call.header?.['x-cosmos-block-height'] ?? '';
    const state = states.get(height) ?? stateAt(Number(height));
    states.set(height, state);
    const at = { chainId: '9001', height: toHeight(BigInt(height)), time: times.get(height) ?? toTimeNs(0n) };
    const answer = app.query(state, at, `/${call.method}`, fromHex(call.request_hex ?? ''));
    expect(
      answer.ok ? toHex(answer.value) : { codespace: answer.codespace, code: answer.code, log: answer.log },
    ).toEqual(expected(call));
  });
});
