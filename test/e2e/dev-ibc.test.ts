/** `dev --ibc`: two chains and a relayer in one command. Packets arrive once, whichever process is killed. */
import { expect, test } from 'vitest';
import { fromHex } from '../../src/core/bytes/hex.js';
import { MsgTransferSchema } from '../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';
import { anyOf, signTx } from '../support/sign-tx.js';

/** Key of the first account of the well-known test mnemonic. */
const DEV0 = fromHex('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const HEX_ADDRESS = 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const ADDRESS = encodeAddress('chron', fromHex(HEX_ADDRESS));
const HOUR = 3_600_000_000_000n;

/** The two chains of a process and the ids of their channel. */
function chainsOf({ ready, endpoints }: DaemonProcess) {
  const { ibc } = ready;
  if (ibc?.channel_id === undefined || ibc.counterparty_channel_id === undefined) throw new Error('no channel');
  return [
    { chainId: 'chronicle_271828-1', channel: ibc.channel_id, ...endpoints },
    { chainId: ibc.chain_id, channel: ibc.counterparty_channel_id, ...ibc.endpoints },
  ] as const;
}

type Chain = ReturnType<typeof chainsOf>[number];

async function rest(chain: Chain, path: string) {
  return JSON.parse(await (await fetch(`${chain.rest}${path}`)).text());
}

/** Balance of the account in vouchers of the other chain. */
async function vouchers(chain: Chain): Promise<readonly { readonly denom: string; readonly amount: string }[]> {
  const { balances } = await rest(chain, `/cosmos/bank/v1beta1/balances/${ADDRESS}`);
  return balances.filter(({ denom }: { readonly denom: string }) => denom.startsWith('ibc/'));
}

const escrow = async (chain: Chain): Promise<string> =>
  (await rest(chain, '/ibc/apps/transfer/v1/total_escrow/achr')).amount.amount;

const waiting = async (chain: Chain): Promise<number> =>
  (await rest(chain, `/ibc/core/channel/v1/channels/${chain.channel}/ports/transfer/packet_commitments`)).commitments
    .length;

/**
 * Sends tokens in one transaction, with one packet for each amount, and waits until a block includes it. `until` is
 * the timeout height on the other chain.
 */
async function send(chain: Chain, denom: string, amounts: readonly string[], until = 0n): Promise<void> {
  const { info } = await rest(chain, `/cosmos/auth/v1beta1/account_info/${ADDRESS}`);
  const gasLimit = 5_000_000n;
  const tx = signTx(
    {
      messages: amounts.map((amount) =>
        anyOf(MsgTransferSchema, {
          sourcePort: 'transfer',
          sourceChannel: chain.channel,
          token: { denom, amount },
          sender: ADDRESS,
          receiver: ADDRESS,
          timeoutHeight: { revisionNumber: until === 0n ? 0n : 1n, revisionHeight: until },
          timeoutTimestamp: until === 0n ? BigInt(Date.now()) * 1_000_000n + HOUR : 0n,
        }),
      ),
      memo: '',
      fee: { amount: [{ denom: 'achr', amount: gasLimit * 2_000_000_000n }], gasLimit },
      chainId: chain.chainId,
      accountNumber: BigInt(info.account_number),
      sequence: BigInt(info.sequence),
    },
    DEV0,
  );
  const params = { tx: Buffer.from(tx).toString('base64') };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_commit', params });
  const { result } = JSON.parse(await (await fetch(chain.comet, { method: 'POST', body })).text());
  expect(result).toMatchObject({ check_tx: { code: 0 }, tx_result: { code: 0 } });
}

/** The result of a method of the Ethereum face. */
async function ethereum(chain: Chain, method: string, params: readonly unknown[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return JSON.parse(await (await fetch(chain.eth_http ?? '', { method: 'POST', headers, body })).text()).result;
}

async function height(chain: Chain): Promise<bigint> {
  const { result } = JSON.parse(await (await fetch(`${chain.comet}/status`)).text());
  return BigInt(result.sync_info.latest_block_height);
}

const SOON = { timeout: 30_000, interval: 50 };

test('dev --ibc relays a token to the second chain and back, and refunds one whose packet timed out', async () => {
  const daemon = await startDaemonProcess({ args: ['--ibc', '--ephemeral'] });
  const [here, there] = chainsOf(daemon);
  expect(there.chainId).toBe('chronicletwo_271829-1');
  const sent = await chronicledHere([
    ...['tx', 'ibc-transfer', 'transfer', 'transfer', here.channel, ADDRESS, '1000achr', '--from', 'dev0', '-y'],
    ...['--node', here.comet, '--keyring-backend', 'test', '--home', daemon.home],
  ]);
  expect(sent).toMatchObject({ code: 0 });
  await expect.poll(() => vouchers(there), SOON).toMatchObject([{ amount: '1000' }]);
  const [{ denom } = { denom: '' }] = await vouchers(there);
  await expect.poll(() => waiting(here), SOON).toBe(0);
  expect(await escrow(here)).toBe('1000');
  // the voucher has an ERC-20 contract, which did not exist before the transfer
  const [to, account] = [`0x${denom.slice(-40)}`, HEX_ADDRESS.padStart(64, '0')];
  const call = { to, data: `0x70a08231${account}` };
  expect(await ethereum(there, 'eth_call', [call, 'latest'])).toBe(`0x${(1_000).toString(16).padStart(64, '0')}`);
  expect(await ethereum(there, 'eth_call', [call, '0x1'])).toBe('0x');
  await send(there, denom, ['1000']);
  await expect.poll(() => escrow(here), SOON).toBe('0');
  expect(await vouchers(there)).toEqual([]);
  // the packet times out before the other chain can receive it
  await send(here, 'achr', ['7'], (await height(there)) + 1n);
  await expect.poll(() => escrow(here), SOON).toBe('0');
  expect(await vouchers(there)).toEqual([]);
  // the light client on the other chain knows reverted blocks; it would freeze at different blocks of the same
  // heights
  const snapshot = await ethereum(here, 'evm_snapshot', []);
  await ethereum(here, 'hardhat_mine', ['0x14']);
  await send(there, 'achr', ['5']);
  await expect.poll(() => waiting(there), SOON).toBe(0);
  expect(await ethereum(here, 'evm_revert', [snapshot])).toBe(true);
  await send(here, 'achr', ['40', '2']);
  await expect.poll(() => vouchers(there), SOON).toMatchObject([{ amount: '42' }]);
  expect(daemon.stderr()).not.toContain('the relayer will try again');
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 120_000);

test('packets that were sent before all processes were killed arrive once after a restart', async () => {
  const home = temporaryFolder();
  const start = () => startDaemonProcess({ home, args: ['--ibc', '--log.sync', 'os'] });
  const first = await start();
  await send(chainsOf(first)[0], 'achr', ['1', '20', '300']);
  await first.kill('SIGKILL');
  const second = await start();
  const [here, there] = chainsOf(second);
  expect([here.channel, there.channel]).toEqual(chainsOf(first).map(({ channel }) => channel));
  await expect.poll(() => waiting(here), SOON).toBe(0);
  expect(await vouchers(there)).toMatchObject([{ amount: '321' }]);
  expect(await escrow(here)).toBe('321');
  await second.kill('SIGKILL');
  const removed = await chronicled(['reset', '-y', '--home', home]);
  expect(removed).toMatchObject({
    code: 0,
    stdout: `removed the chain in ${home}\nremoved the chain in ${home}/ibc\n`,
  });
}, 120_000);
