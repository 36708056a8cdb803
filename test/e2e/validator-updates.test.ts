/** A delegation changes the power of the dev chain's validator, as consensus RPC clients see it. */
import WebSocket from 'ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MsgDelegateSchema } from '../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { anyOf } from '../support/sign-tx.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { ACCOUNTS, signed } from './load.js';

let daemon: DaemonProcess;
beforeAll(async () => {
  daemon = await startDaemonProcess({ args: ['--block-time', '0.2'] });
}, 60_000);
afterAll(() => daemon.kill('SIGTERM'));

interface Validators {
  readonly validators: readonly { readonly address: string; readonly voting_power: string }[];
}

it('a delegation emits ValidatorSetUpdates, is in the block results, and takes effect two heights later', async () => {
  const { comet, rest } = daemon.endpoints;
  const socket = new WebSocket(`${comet.replace('http', 'ws')}/websocket`);
  const messages: string[] = [];
  let arrived = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    messages.push(data.toString());
    arrived();
  });
  const next = async (count: number): Promise<unknown> => {
    while (messages.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    return JSON.parse(messages[count - 1] ?? '');
  };
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(
    JSON.stringify({
      jsonrpc: '2.0',
      method: 'subscribe',
      id: 0,
      params: { query: "tm.event='ValidatorSetUpdates'" },
    }),
  );
  await next(1);
  const { validators } = (await getJson(rest ?? '', '/cosmos/staking/v1beta1/validators')) as {
    readonly validators: readonly { readonly operator_address: string; readonly tokens: string }[];
  };
  expect(validators).toMatchObject([{ status: 'BOND_STATUS_BONDED', tokens: `1000${'0'.repeat(18)}` }]);

  const { tx } = signed(1, 0n, [
    anyOf(MsgDelegateSchema, {
      delegatorAddress: ACCOUNTS[1]?.bech32 ?? '',
      validatorAddress: validators[0]?.operator_address ?? '',
      amount: { denom: 'achr', amount: `5${'0'.repeat(18)}` },
    }),
  ]);
  const { height } = await call<{ readonly height: string }>(comet, 'broadcast_tx_commit', { tx });
  const at = (by: bigint) => call<Validators>(comet, 'validators', { height: String(BigInt(height) + by) });
  while (BigInt(await latestHeight(comet)) < BigInt(height) + 2n);
  const before = await at(1n);
  const address = before.validators[0]?.address;
  expect(await next(2)).toMatchObject({
    id: 0,
    result: {
      query: "tm.event='ValidatorSetUpdates'",
      data: {
        type: 'tendermint/event/ValidatorSetUpdates',
        value: {
          validator_updates: [
            { address, pub_key: { type: 'tendermint/PubKeyEd25519' }, voting_power: '1005', proposer_priority: '0' },
          ],
        },
      },
      events: { 'tm.event': ['ValidatorSetUpdates'] },
    },
  });
  socket.close();
  expect(await call(comet, 'block_results', { height })).toMatchObject({ validator_updates: [{ power: '1005' }] });
  expect(before.validators.map(({ voting_power: power }) => power)).toEqual(['1000']);
  expect((await at(2n)).validators.map(({ voting_power: power }) => power)).toEqual(['1005']);
}, 60_000);
