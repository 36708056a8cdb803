/** IBC vouchers and escrowed coins of a genesis: state, answers and transfers are equal to those of evmd. */
import { type DescMessage, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hex } from '../../src/core/bytes/hex.js';
import * as auth from '../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import * as bank from '../../src/core/proto/cosmos/bank/v1beta1/query_pb.js';
import * as evm from '../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import * as transfer from '../../src/core/proto/ibc/applications/transfer/v1/query_pb.js';
import { MsgTransferSchema } from '../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { Order, State } from '../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import { MsgChannelOpenInitSchema } from '../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import { MsgCreateClientSchema } from '../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { MsgConnectionOpenInitSchema } from '../../src/core/proto/ibc/core/connection/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
} from '../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { goldenPath, hasGolden } from '../support/golden.js';
import { anyOf, signTx } from '../support/sign-tx.js';
import { EVMD } from './evmd.js';
import { DENOMS, EVM_CHAIN_ID, foundedChain } from './messages/genesis.js';
import { type Pair, startPair } from './pair.js';
import { Random } from './random.js';
import { encode } from '../support/encode.js';

const VOUCHER = DENOMS[3];
/** The denom in which the hash of a denomination of the chain itself is typed. */
const nativeHash = (base: string): string => `ibc/${createHash('sha256').update(base).digest('hex')}`;
const ICS20 = '0x0000000000000000000000000000000000000802';
const ABI = parseAbi([
  'struct Hop { string portId; string channelId; }',
  'struct Denom { string base; Hop[] trace; }',
  'struct PageRequest { bytes key; uint64 offset; uint64 limit; bool countTotal; bool reverse; }',
  'struct PageResponse { bytes nextKey; uint64 total; }',
  'function denom(string hash) view returns (Denom)',
  'function denoms(PageRequest page) view returns (Denom[], PageResponse)',
  'function denomHash(string trace) view returns (string)',
]);

interface Balances {
  readonly app_state: {
    readonly bank: {
      readonly balances: {
        readonly address: string;
        coins: readonly { readonly denom: string; readonly amount: string }[];
      }[];
      supply: readonly { readonly denom: string; readonly amount: string }[];
    };
  };
}

/** The genesis, in which the account also has a thousand of each of the denoms. */
function withCoins(genesis: Uint8Array, account: string): Uint8Array {
  const document = JSON.parse(Buffer.from(genesis).toString('utf8')) as Balances;
  const { bank: state } = document.app_state;
  const added = DENOMS.slice(1);
  for (const balance of state.balances) {
    if (balance.address !== account) continue;
    balance.coins = [...balance.coins, ...added.map((denom) => ({ denom, amount: '1000' }))].toSorted((a, b) =>
      a.denom < b.denom ? -1 : 1,
    );
  }
  state.supply = state.supply.map(({ denom, amount }) => ({
    denom,
    amount: (BigInt(amount) + (added.some((one) => one === denom) ? 1000n : 0n)).toString(),
  }));
  return Buffer.from(JSON.stringify(document));
}

describe.skipIf(EVMD === undefined || !hasGolden)('IBC tokens of a genesis have the answers of evmd', () => {
  const founded = hasGolden ? foundedChain(new Random(3)) : undefined;
  const [founder] = founded?.actors ?? [];
  let pair: Pair;
  let accountNumber = 0n;
  let sequence = 0n;

  beforeAll(async () => {
    const genesis = withCoins(founded?.genesis ?? new Uint8Array(), founder?.bech32 ?? '');
    pair = await startPair(EVMD ?? '', genesis, EVM_CHAIN_ID);
    expect((await pair.block([])).difference).toBeUndefined();
    const request = encode(auth.QueryAccountInfoRequestSchema, { address: founder?.bech32 ?? '' });
    const { theirs } = await pair.query('/cosmos.auth.v1beta1.Query/AccountInfo', request);
    const { info } = fromBinary(auth.QueryAccountInfoResponseSchema, theirs.value);
    ({ accountNumber, sequence } = info ?? { accountNumber, sequence });
  });
  afterAll(() => pair.stop());

  /** Transaction of the founder. */
  function signed(message: Any): Uint8Array {
    const keys = JSON.parse(readFileSync(goldenPath('tx-vectors/keys.json'), 'utf8')) as Record<
      string,
      { readonly priv: string }
    >;
    const fee = { amount: [{ denom: 'atest', amount: 10n ** 16n }], gasLimit: 500_000n };
    const chainId = founded?.chainId ?? '';
    const unsigned = { messages: [message], memo: '', fee, chainId, accountNumber, sequence, coinMetadata: new Map() };
    sequence += 1n;
    return signTx(unsigned, Buffer.from(keys['mykey']?.priv.slice(2) ?? '', 'hex'));
  }

  /** Asks both programs, expects equal answers, and resolves with the answer. */
  async function asked<Desc extends DescMessage>(
    path: string,
    schema: Desc,
    request: MessageInitShape<Desc>,
  ): Promise<{ readonly code: number; readonly value: Uint8Array }> {
    const { ours, theirs } = await pair.query(path, encode(schema, request));
    const shown = ({ code, log, value }: typeof theirs | typeof ours): unknown => ({ code, log, value: hex(value) });
    expect(shown(ours)).toEqual(shown(theirs));
    return { code: theirs.code, value: theirs.value };
  }

  const PATH = '/ibc.applications.transfer.v1.Query';

  test.each([
    ['all', {}],
    ['the first', { limit: 2n }],
    ['the last, counted', { limit: 1n, offset: 3n, countTotal: true }],
    ['backwards', { limit: 3n, reverse: true }],
    ['that cannot be', { offset: 1n, key: Uint8Array.of(1) }],
  ])('pages of denominations: %s', async (_, pagination) => {
    await asked(`${PATH}/Denoms`, transfer.QueryDenomsRequestSchema, { pagination });
  });

  test.each([VOUCHER, VOUCHER.slice(4), 'AB'.repeat(32), 'xyz'])('denomination %s', async (hash) => {
    await asked(`${PATH}/Denom`, transfer.QueryDenomRequestSchema, { hash });
  });

  test.each(['transfer/channel-0/uatom', 'uhalf', 'transfer/channel-1/other/07-tendermint-0/ünit', 'none', ' '])(
    'hash of %s',
    async (trace) => {
      await asked(`${PATH}/DenomHash`, transfer.QueryDenomHashRequestSchema, { trace });
    },
  );

  test.each(['aother', 'uhalf', 'atest', '!'])('escrow of %s', async (denom) => {
    await asked(`${PATH}/TotalEscrowForDenom`, transfer.QueryTotalEscrowForDenomRequestSchema, { denom });
  });

  test('metadata of their coins', async () => {
    await asked('/cosmos.bank.v1beta1.Query/DenomsMetadata', bank.QueryDenomsMetadataRequestSchema, {});
  });

  const page = (limit: bigint): Hex => {
    const request = { key: '0x', offset: 0n, limit, countTotal: true, reverse: false } as const;
    return encodeFunctionData({ abi: ABI, functionName: 'denoms', args: [request] });
  };
  const denom = (hash: string): Hex => encodeFunctionData({ abi: ABI, functionName: 'denom', args: [hash] });
  const denomHash = (trace: string): Hex => encodeFunctionData({ abi: ABI, functionName: 'denomHash', args: [trace] });
  test.each([
    ['a page', page(0n)],
    ['a short page', page(3n)],
    ['a denomination', denom(VOUCHER)],
    ['one that is not there', denom('AB'.repeat(32))],
    ['a hash', denomHash('transfer/channel-0/uatom')],
    ['one of nothing', denomHash('none')],
  ])('a contract that asks for %s', async (_, data) => {
    const args = Buffer.from(JSON.stringify({ to: ICS20, data, gas: '0xf4240' }));
    const request = { args, gasCap: 1_000_000n, chainId: EVM_CHAIN_ID };
    const { code } = await asked('/cosmos.evm.vm.v1.Query/EthCall', evm.EthCallRequestSchema, request);
    expect(code).toBe(0);
  });

  test('transfers over channels that do not open: refused after the same steps', async () => {
    const signer = founder?.bech32 ?? '';
    const client = {
      chainId: 'counter-1',
      trustLevel: { numerator: 1n, denominator: 3n },
      trustingPeriod: { seconds: 1_209_600n },
      unbondingPeriod: { seconds: 1_814_400n },
      maxClockDrift: { seconds: 40n },
      latestHeight: { revisionNumber: 1n, revisionHeight: 5n },
      proofSpecs: [{}],
    };
    const known = {
      timestamp: { seconds: pair.time() / 1_000_000_000n },
      root: { hash: new Uint8Array(32).fill(1) },
      nextValidatorsHash: new Uint8Array(32).fill(2),
    };
    const connection = {
      clientId: '07-tendermint-0',
      counterparty: { clientId: '07-tendermint-7', prefix: { keyPrefix: Buffer.from('ibc') } },
      signer,
    };
    const channel = {
      state: State.INIT,
      ordering: Order.UNORDERED,
      counterparty: { portId: 'transfer' },
      connectionHops: ['connection-0'],
      version: 'ics20-1',
    };
    const opening = [
      anyOf(MsgCreateClientSchema, {
        clientState: anyOf(ClientStateSchema, client),
        consensusState: anyOf(ConsensusStateSchema, known),
        signer,
      }),
      anyOf(MsgConnectionOpenInitSchema, connection),
      anyOf(MsgChannelOpenInitSchema, { portId: 'transfer', channel, signer }),
      anyOf(MsgChannelOpenInitSchema, { portId: 'transfer', channel, signer }),
    ];
    const opened = await pair.block(opening.map(signed));
    expect(opened.difference).toBeUndefined();
    expect(opened.theirs.txResults.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const sent = (name: string, sourceChannel: string, amount = '7'): Any =>
      anyOf(MsgTransferSchema, {
        sourcePort: 'transfer',
        sourceChannel,
        token: { denom: name, amount },
        sender: signer,
        receiver: 'cosmos1x',
        timeoutTimestamp: 1n,
      });
    const { theirs, difference } = await pair.block(
      [
        sent(VOUCHER, 'channel-0'),
        sent(VOUCHER, 'channel-1'),
        sent(`ibc/${VOUCHER.slice(4).toLowerCase()}`, 'channel-0'),
        sent(VOUCHER, 'channel-9'),
        sent(nativeHash('uhalf'), 'channel-0'),
        sent(nativeHash('ß'), 'channel-0'),
        sent('aother', 'channel-0'),
        sent('uhalf', 'channel-1'),
        sent('atest', 'channel-0'),
        sent('transfer/channel-0/', 'channel-0'),
        sent(`ibc/${'AB'.repeat(32)}`, 'channel-0'),
        sent(VOUCHER, 'channel-0', String(2n ** 256n - 1n)),
      ].map(signed),
    );
    expect(difference).toBeUndefined();
    expect(theirs.txResults.map(({ codespace, code }) => `${codespace} ${code}`)).toEqual([
      'channel 5',
      'channel 5',
      'channel 5',
      'clientv2 35',
      'channel 5',
      'undefined 111222',
      'undefined 111222',
      'channel 5',
      'channel 5',
      'transfer 3',
      'transfer 6',
      'channel 5',
    ]);
  });
});
