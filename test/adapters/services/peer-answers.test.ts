/** Answers that evmd itself gave over ABCI (`test/peer/queries`), of the recorded chain. */
import { bech32 } from '@scure/base';
import { beforeAll, describe, expect, it } from 'vitest';
import { createToJson } from '../../../src/adapters/rest/json/to-json.js';
import { servedFiles } from '../../../src/adapters/services/index.js';
import { toHeight } from '../../../src/core/primitives.js';
import { AddressBytesToStringRequestSchema } from '../../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { EthCallRequestSchema } from '../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { hasGolden } from '../../support/golden.js';
import { recordedServices, type RecordedServices } from './recorded-services.js';
import { encode } from '../../support/encode.js';

const HEAD = 557n;
const text = (number: number, value: string): string => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]).toString('hex');
};
const HEX = '0x0000000000000000000000000000000000000800';
const BECH32 = 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqzqqh8jcuy';
const BOTH = '0a0301020310 01'.replace(' ', '');
const TWO = 'invalid request, either offset or key is expected, got both';

/** Path, request in hexadecimal, code, log. */
const REFUSED: readonly (readonly [string, string, number, string])[] = [
  ['/cosmos.auth.v1beta1.Query/AddressBytesToString', '', 18, 'empty address bytes is not allowed: invalid request'],
  ['/cosmos.auth.v1beta1.Query/AddressStringToBytes', '', 18, 'empty address string is not allowed: invalid request'],
  [
    '/cosmos.auth.v1beta1.Query/AddressStringToBytes',
    text(1, ' '),
    18,
    'empty address string is not allowed: invalid request',
  ],
  [
    '/cosmos.auth.v1beta1.Query/AccountInfo',
    '',
    18,
    'rpc error: code = InvalidArgument desc = address cannot be empty: invalid request',
  ],
  ...['AllBalances', 'SpendableBalances', 'SpendableBalanceByDenom'].map(
    (name) =>
      [
        `/cosmos.bank.v1beta1.Query/${name}`,
        '',
        18,
        'rpc error: code = InvalidArgument desc = invalid address: empty address string is not allowed: invalid address: invalid request',
      ] as const,
  ),
  ['/cosmos.bank.v1beta1.Query/DenomOwners', `${text(1, 'atest')}1206${BOTH}`, 18, `${TWO}: invalid request`],
  [
    '/cosmos.bank.v1beta1.Query/TotalSupply',
    `0a07${BOTH}`,
    6,
    `rpc error: code = Internal desc = ${TWO}: unknown request`,
  ],
  [
    '/cosmos.bank.v1beta1.Query/AllBalances',
    `${text(1, HEX)}1207${BOTH}`,
    18,
    `rpc error: code = InvalidArgument desc = paginate: ${TWO}: invalid request`,
  ],
  ['/ibc.applications.transfer.v1.Query/Denoms', `0a07${BOTH}`, 18, `${TWO}: invalid request`],
  [
    '/ibc.core.channel.v2.Query/PacketCommitments',
    `${text(1, '07-tendermint-0')}1207${BOTH}`,
    18,
    `${TWO}: invalid request`,
  ],
  [
    '/cosmos.evidence.v1beta1.Query/Evidence',
    text(2, '\0'),
    18,
    'invalid evidence hash: encoding/hex: invalid byte: U+0000: invalid request',
  ],
  [
    '/cosmos.evm.precisebank.v1.Query/FractionalBalance',
    '',
    18,
    'empty address string is not allowed: invalid request',
  ],
  [
    '/cosmos.evm.precisebank.v1.Query/FractionalBalance',
    text(1, '0x0000000000000000000000000000000000000804'),
    18,
    'decoding bech32 failed: invalid separator index -1: invalid request',
  ],
  [
    '/cosmos.evm.precisebank.v1.Query/FractionalBalance',
    text(1, 'To be vetoed'),
    18,
    'decoding bech32 failed: string not all lowercase or all uppercase: invalid request',
  ],
  [
    '/cosmos.evm.vm.v1.Query/ValidatorAccount',
    text(1, '0x0000000000000000000000000000000000000100'),
    18,
    'rpc error: code = InvalidArgument desc = decoding bech32 failed: invalid separator index 39: invalid request',
  ],
  [
    '/cosmos.gov.v1.Query/Deposit',
    `0809${text(2, HEX)}`,
    22,
    `rpc error: code = NotFound desc = collections: not found: key '("9", "${BECH32}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit: key not found`,
  ],
  [
    '/cosmos.evm.erc20.v1.Query/TokenPair',
    text(1, '1004700000000000000000000000000000000000'),
    22,
    "rpc error: code = NotFound desc = token pair with token '1004700000000000000000000000000000000000': key not found",
  ],
  ['', '', 6, 'no query path provided: unknown request'],
  ['/', '', 6, 'unknown query path: unknown request'],
  [
    '/app',
    '',
    6,
    "expected second parameter to be either 'simulate' or 'version', neither was present: unknown request",
  ],
  ['/app/nope', '', 6, 'unknown query: [app nope]: unknown request'],
  ['/app/simulate', '', 18, 'failed to simulate tx: must contain at least one message: invalid request'],
  ['/p2p/filter/addr', '', 6, 'path should be p2p filter <addr|id> <parameter>: unknown request'],
  ['/p2p/nope/id/abc', '', 6, "expected second parameter to be 'filter': unknown request"],
  ['/store/bank/key', '', 3, 'query cannot be zero length: tx parse error'],
  ['/store/bank/nope', '01', 4, 'unexpected query path: /nope: unknown request'],
  ['/store', '01', 4, 'no such store: : unknown request'],
];

describe.skipIf(!hasGolden)('queries with recorded answers of evmd', () => {
  let node: RecordedServices;
  beforeAll(async () => {
    node = await recordedServices(HEAD);
  }, 120_000);

  const ask = async (path: string, data: Uint8Array, height = 0n) => {
    const answer = await node.api.queries.abciQuery({ path, data, height: toHeight(height), prove: false });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value;
  };

  it.each(REFUSED)('%s %s is refused', async (path, request, code, log) => {
    expect(await ask(path, Buffer.from(request, 'hex'))).toMatchObject({ code, log });
  });

  it('bytes of any length have an address, up to a limit', async () => {
    const path = '/cosmos.auth.v1beta1.Query/AddressBytesToString';
    const addressOf = (length: number) =>
      ask(path, encode(AddressBytesToStringRequestSchema, { addressBytes: new Uint8Array(length) }));
    const { value } = await addressOf(4_096);
    const words = bech32.toWords(new Uint8Array(4_096));
    expect(Buffer.from(value).toString()).toContain(bech32.encode('cosmos', words, false));
    expect(await addressOf(4_097)).toMatchObject({
      code: 18,
      log: 'limit addressBytes (4096) exceeded: invalid request',
    });
  });

  it('a failed proposal keeps its tally', async () => {
    const { value } = await ask('/cosmos.gov.v1.Query/TallyResult', Buffer.from('080a', 'hex'));
    expect(Buffer.from(value).toString('hex')).toBe(
      '0a210a16313030353730303030303030303030303030303030301201301a0130220130',
    );
  });

  it('page keys of connections begin with a slash', async () => {
    const from = async (key: string) =>
      (await ask('/ibc.core.connection.v1.Query/Connections', Buffer.from(`0a05${text(1, key)}1801`, 'hex'))).value
        .length;
    // Without a connection: the empty page and the height.
    expect(await from('O')).toBe(7);
    expect(await from('/')).toBeGreaterThan(100);
  });

  it('an account is shown with the address of the request', async () => {
    const mykey = '0x7cb61d4117ae31a12e393a1cfa3bac666481d02e';
    const { value } = await ask('/cosmos.auth.v1beta1.Query/AccountInfo', Buffer.from(text(1, mykey), 'hex'));
    expect(Buffer.from(value).toString('latin1')).toContain(mykey);
  });

  it("EthCall charges half of a call's gas limit, which the gas cap limits", async () => {
    const { value } = await ask(
      '/cosmos.evm.vm.v1.Query/EthCall',
      encode(EthCallRequestSchema, {
        args: Buffer.from('{"to":"0x1111111111111111111111111111111111111111","gas":"0x989680"}'),
        gasCap: 100_000n,
      }),
    );
    const { registry } = servedFiles();
    const response = registry.getMessage('cosmos.evm.vm.v1.MsgEthereumTxResponse');
    if (response === undefined) throw new Error('no response');
    expect(JSON.parse(createToJson(registry)(response, value))).toMatchObject({ gas_used: '50000' });
  });

  it('entries below a prefix are returned raw', async () => {
    const { key, value } = await ask('/store/upgrade/subspace', Buffer.from('02', 'hex'));
    expect(Buffer.from(key).toString('hex')).toBe('02');
    // The beginning as recorded: 07-tendermint, version 0.
    expect(Buffer.from(value).toString('base64')).toMatch(/^ChoKDgIwNy10ZW5kZXJtaW50EggAAAAAAAAAAAoRCgUCYXV0aBIIA/);
  });
});
