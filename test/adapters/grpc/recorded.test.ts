/** The recorded calls over the wire: bytes, codes, texts and the height in the header metadata. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { status } from '@grpc/grpc-js';
import { hasGolden } from '../../support/golden.js';
import { calls, comparable, headOf, skipped, type Call } from '../services/recorded-calls.js';
import { recordedServices } from '../services/recorded-services.js';
import { rawCall, Reflected, JsonClient } from './reflected-client.js';
import { serve, type Served } from './support.js';

const HEIGHT = 'x-cosmos-block-height';
const CODES: Readonly<Record<string, number>> = {
  UNKNOWN: status.UNKNOWN,
  INVALID_ARGUMENT: status.INVALID_ARGUMENT,
  NOT_FOUND: status.NOT_FOUND,
  UNIMPLEMENTED: status.UNIMPLEMENTED,
  INTERNAL: status.INTERNAL,
};

describe.skipIf(!hasGolden)('gRPC over the recorded chain', () => {
  const compared = calls.filter((call) => skipped(call) === undefined);
  const nodes = new Map<bigint, Served>();
  beforeAll(async () => {
    for (const head of new Set(compared.map(headOf))) {
      const { api, services } = await recordedServices(head);
      nodes.set(head, await serve(api, services));
    }
  }, 120_000);
  afterAll(async () => {
    for (const node of nodes.values()) await node.close();
  });
  const nodeAt = (head: bigint): Served => {
    const node = nodes.get(head);
    if (node === undefined) throw new Error('no node');
    return node;
  };

  it.each(compared.map((call, index) => ({ title: `${index} ${call.name} ${call.method}`, call })))(
    '$title',
    async ({ call }) => {
      const { value, error, header } = await rawCall(
        nodeAt(headOf(call)).client,
        `/${call.method}`,
        Buffer.from(call.request_hex, 'hex'),
        call.metadata,
      );
      const shown =
        error === undefined
          ? { value: value?.toString('hex') ?? '' }
          : { code: error.code, details: comparable(error.details) };
      expect({ ...shown, height: header.get(HEIGHT)[0] }).toEqual({ ...recorded(call), height: call.header[HEIGHT] });
    },
  );

  it('no handler threw', () => expect([...nodes.values()].flatMap(({ defects }) => defects)).toEqual([]));

  describe.each(['v1', 'v1alpha'] as const)('a client that knows the services only from reflection %s', (version) => {
    it('finds the recorded services of existing modules, the aliases, health and both reflections', async () => {
      const reflected = new Reflected(nodeAt(552n).client, version);
      const names = await reflected.services();
      reflected.close();
      expect(names).toEqual([
        'cosmos.auth.v1beta1.Query',
        'cosmos.authz.v1beta1.Query',
        'cosmos.bank.v1beta1.Query',
        'cosmos.base.node.v1beta1.Service',
        'cosmos.base.reflection.v1beta1.ReflectionService',
        'cosmos.base.reflection.v2alpha1.ReflectionService',
        'cosmos.base.tendermint.v1beta1.Service',
        'cosmos.consensus.v1.Query',
        'cosmos.distribution.v1beta1.Query',
        'cosmos.evidence.v1beta1.Query',
        'cosmos.evm.erc20.v1.Query',
        'cosmos.evm.feemarket.v1.Query',
        'cosmos.evm.precisebank.v1.Query',
        'cosmos.evm.vm.v1.Query',
        'cosmos.feegrant.v1beta1.Query',
        'cosmos.gov.v1.Query',
        'cosmos.gov.v1beta1.Query',
        'cosmos.mint.v1beta1.Query',
        'cosmos.reflection.v1.ReflectionService',
        'cosmos.slashing.v1beta1.Query',
        'cosmos.staking.v1beta1.Query',
        'cosmos.tx.v1beta1.Service',
        'cosmos.upgrade.v1beta1.Query',
        'ethermint.evm.v1.Query',
        'ethermint.feemarket.v1.Query',
        'grpc.health.v1.Health',
        'grpc.reflection.v1.ServerReflection',
        'grpc.reflection.v1alpha.ServerReflection',
        'ibc.applications.transfer.v1.Query',
        'ibc.core.channel.v1.Query',
        'ibc.core.channel.v2.Query',
        'ibc.core.client.v1.Query',
        'ibc.core.client.v2.Query',
        'ibc.core.connection.v1.Query',
        'sdk.upgrade.v1beta1.Query',
      ]);
    });

    it('reads a complete description of every listed service', async () => {
      const reflected = new Reflected(nodeAt(552n).client, version);
      for (const name of await reflected.services()) {
        const fresh = new Reflected(nodeAt(552n).client, version);
        expect((await fresh.files(name))?.getService(name)?.methods.length).toBeGreaterThan(0);
        fresh.close();
      }
      reflected.close();
    });

    it('reads an account and its balance, at the head and at a height', async () => {
      const client = new JsonClient(nodeAt(552n).client, version);
      const account = calls.find(
        (call) => call.method === 'cosmos.bank.v1beta1.Query/Balance' && call.metadata?.[HEIGHT] === '20',
      );
      const request = account?.request as { address: string; denom: string };
      const then = await client.call('cosmos.bank.v1beta1.Query/Balance', { ...request }, { [HEIGHT]: '20' });
      expect(then.json).toMatchObject({ balance: { denom: 'atest', amount: expect.stringMatching(/^\d+$/) } });
      expect(then.header.get(HEIGHT)).toEqual(['20']);
      const now = await client.call('cosmos.bank.v1beta1.Query/Balance', { ...request });
      expect(now.header.get(HEIGHT)).toEqual(['552']);
      expect(now.json).not.toEqual(then.json);
      expect(
        (await client.call('cosmos.auth.v1beta1.Query/AccountInfo', { address: request.address })).json,
      ).toMatchObject({ info: { address: request.address, sequence: '52' } });
    });

    it('reads a transaction with its decoded messages', async () => {
      const client = new JsonClient(nodeAt(552n).client, version);
      const hash = '9755099D8F5C758C577A7A8A7890362BEB0AFADB4EC36BE7735E54ACE67F2DD7';
      const { json } = await client.call('cosmos.tx.v1beta1.Service/GetTx', { hash });
      expect(json).toMatchObject({
        tx: { body: { messages: [{ '@type': '/cosmos.evm.vm.v1.MsgEthereumTx' }] } },
        tx_response: { txhash: hash, height: '71', tx: { '@type': '/cosmos.tx.v1beta1.Tx' } },
      });
    });
  });

  it('aliases answer like the services that they stand for', async () => {
    const client = new JsonClient(nodeAt(552n).client);
    for (const [alias, name] of [
      ['sdk.upgrade.v1beta1.Query/ModuleVersions', 'cosmos.upgrade.v1beta1.Query/ModuleVersions'],
      ['ethermint.evm.v1.Query/Params', 'cosmos.evm.vm.v1.Query/Params'],
      ['ethermint.feemarket.v1.Query/Params', 'cosmos.evm.feemarket.v1.Query/Params'],
      ['ethermint.feemarket.v1.Query/BaseFee', 'cosmos.evm.vm.v1.Query/BaseFee'],
    ] as const) {
      const there = await client.call(name, {});
      expect(there.error).toBeUndefined();
      expect((await client.call(alias, {})).json).toEqual(there.json);
    }
  });
});

function recorded({ code, message = '', response_hex: value = '' }: Call): Readonly<Record<string, unknown>> {
  return code === 'OK' ? { value } : { code: CODES[code], details: comparable(message) };
}
