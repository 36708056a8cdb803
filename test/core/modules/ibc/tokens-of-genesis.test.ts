/** Denoms of other chains and escrowed coins in a genesis (ibc-go v10 `modules/apps/transfer`). */
import { create, type DescMessage, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { decodeFunctionResult, encodeFunctionData, bytesToHex, hexToBytes, parseAbi, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { upperHex } from '../../../../src/core/bytes/hex.js';
import { getMetadata } from '../../../../src/core/modules/bank/balances.js';
import { ibcModule } from '../../../../src/core/modules/ibc/module.js';
import { transferModule } from '../../../../src/core/modules/transfer/module.js';
import { transferPort } from '../../../../src/core/modules/transfer/port.js';
import { ics20Contract } from '../../../../src/core/precompiles/ics20/contract.js';
import * as pb from '../../../../src/core/proto/ibc/applications/transfer/v1/query_pb.js';
import { ConsensusParamsSchema } from '../../../../src/core/proto/tendermint/types/params_pb.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import type { ContractCall } from '../../../../src/core/sdk/module/stateful-precompile.js';
import { contextOf, DevChain } from '../../app/dev-chain.js';
import { encode } from '../../../support/encode.js';

/** The well-known hash of `transfer/channel-0/uatom`. */
const HASH = '27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
const ATOM = { base: 'uatom', trace: [{ port_id: 'transfer', channel_id: 'channel-0' }] };
const POOL = { base: 'gamm/pool/1', trace: [{ port_id: 'transfer', channel_id: 'channel-7' }] };
const PLAIN = { base: 'uatom', trace: [] };
const ESCROW = { denom: 'achr', amount: '123456789012345678901234567890' };
const SECTION = {
  port_id: 'transfer',
  denoms: [ATOM, PLAIN, POOL],
  params: { send_enabled: true, receive_enabled: true },
  total_escrowed: [ESCROW],
};
const DEV = new DevChain();

function begun(): Context {
  const context = contextOf(DEV);
  const facts = { initialHeight: 1n, consensusParams: create(ConsensusParamsSchema), deliver: () => undefined };
  ibcModule([transferPort]).initGenesis(context, undefined, facts);
  transferModule.initGenesis(context, SECTION, facts);
  return context;
}

function asked<In extends DescMessage, Out extends DescMessage>(
  name: string,
  input: In,
  request: MessageInitShape<In>,
  output: Out,
) {
  const found = transferModule.queries.find(({ path }) => path === `/ibc.applications.transfer.v1.Query/${name}`);
  const answer = found?.handle(begun(), encode(input, request));
  return fromBinary(output, answer ?? new Uint8Array());
}

const named = ({ base, trace }: { readonly base: string; readonly trace: readonly object[] }): string =>
  `${base} ${trace.length}`;

test('queries answer the denoms and the escrow of a genesis', () => {
  const { denoms, pagination } = asked('Denoms', pb.QueryDenomsRequestSchema, {}, pb.QueryDenomsResponseSchema);
  expect(denoms.map(named)).toEqual(['gamm/pool/1 1', 'uatom 0', 'uatom 1']);
  expect(pagination?.total).toBe(3n);
  for (const hash of [HASH, `ibc/${HASH}`])
    expect(asked('Denom', pb.QueryDenomRequestSchema, { hash }, pb.QueryDenomResponseSchema).denom).toMatchObject({
      base: 'uatom',
      trace: [{ portId: 'transfer', channelId: 'channel-0' }],
    });
  const trace = 'transfer/channel-0/uatom';
  expect(asked('DenomHash', pb.QueryDenomHashRequestSchema, { trace }, pb.QueryDenomHashResponseSchema).hash).toBe(
    HASH,
  );
  const escrowed = (denom: string) =>
    asked(
      'TotalEscrowForDenom',
      pb.QueryTotalEscrowForDenomRequestSchema,
      { denom },
      pb.QueryTotalEscrowForDenomResponseSchema,
    ).amount;
  expect(escrowed('achr')).toMatchObject(ESCROW);
  expect(escrowed('other')).toMatchObject({ denom: 'other', amount: '0' });
});

test('bank has metadata for the denoms of a genesis', () => {
  expect(getMetadata(begun(), `ibc/${HASH}`)).toMatchObject({
    description: 'IBC token from transfer/channel-0/uatom',
    denomUnits: [{ denom: 'uatom', exponent: 0 }],
    display: 'transfer/channel-0/uatom',
    name: 'transfer/channel-0/uatom IBC token',
    symbol: 'UATOM',
  });
});

test('an exported genesis has the denoms and the escrow of the imported one', () => {
  expect(transferModule.exportGenesis(begun())).toEqual({ ...SECTION, denoms: [POOL, PLAIN, ATOM] });
});

test('the ICS-20 precompile answers the denoms of a genesis', () => {
  const abi = parseAbi([
    'struct Hop { string portId; string channelId; }',
    'struct Denom { string base; Hop[] trace; }',
    'struct PageRequest { bytes key; uint64 offset; uint64 limit; bool countTotal; bool reverse; }',
    'struct PageResponse { bytes nextKey; uint64 total; }',
    'function denom(string hash) view returns (Denom)',
    'function denoms(PageRequest page) view returns (Denom[], PageResponse)',
    'function denomHash(string trace) view returns (string)',
  ]);
  const output = (data: Hex): Hex =>
    bytesToHex(ics20Contract.run(begun(), { input: hexToBytes(data) } as unknown as ContractCall));
  const denom = output(encodeFunctionData({ abi, functionName: 'denom', args: [HASH] }));
  expect(decodeFunctionResult({ abi, functionName: 'denom', data: denom })).toEqual({
    base: 'uatom',
    trace: [{ portId: 'transfer', channelId: 'channel-0' }],
  });
  const hash = output(encodeFunctionData({ abi, functionName: 'denomHash', args: ['transfer/channel-0/uatom'] }));
  expect(decodeFunctionResult({ abi, functionName: 'denomHash', data: hash })).toBe(HASH);
  const page = { key: '0x', offset: 0n, limit: 2n, countTotal: true, reverse: false } as const;
  const denoms = output(encodeFunctionData({ abi, functionName: 'denoms', args: [page] }));
  const [list, { nextKey, total }] = decodeFunctionResult({ abi, functionName: 'denoms', data: denoms });
  expect([list.length, total, upperHex(hexToBytes(nextKey)).length]).toEqual([2, 3n, 64]);
});
