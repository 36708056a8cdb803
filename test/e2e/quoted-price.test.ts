/** A gas price that the node suggested is still accepted many full blocks later. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const GWEI = 1_000_000_000n;
/** Transfers that fill a block of `GAS_LIMIT`. */
const TRANSFERS = 10;
const GAS_LIMIT = '0x33450';

let daemon: DaemonProcess;
let from: string;
let filler: string;

const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
  callEthereum<Result>(daemon.endpoints.eth_http ?? '', method, params);

beforeAll(async () => {
  daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
  [from = '', filler = ''] = await ask<readonly string[]>('eth_accounts');
  await ask('evm_setBlockGasLimit', GAS_LIMIT);
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

async function blockFiller(count: number): Promise<void> {
  const price = `0x${(100n * GWEI).toString(16)}`;
  for (let block = 0; block < count; block += 1) {
    for (let sent = 0; sent < TRANSFERS; sent += 1)
      await ask('eth_sendTransaction', { from: filler, to: filler, gas: '0x5208', gasPrice: price });
    await ask('evm_mine');
    const { gasUsed, gasLimit } = await ask<{ gasUsed: string; gasLimit: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    expect([gasUsed, gasLimit]).toEqual([GAS_LIMIT, GAS_LIMIT]);
  }
}

it.each([
  ['at the first base fee', 0],
  ['after the base fee has fallen to its minimum', 200],
])('a gas price suggested %s is accepted five full blocks later', async (_case, empty) => {
  if (empty > 0) await ask('anvil_mine', empty);
  const quoted = await ask<string>('eth_gasPrice');
  const tip = await ask<string>('eth_maxPriorityFeePerGas');
  expect(BigInt(tip)).toBe(GWEI);
  await blockFiller(5);
  for (const fees of [
    { gasPrice: quoted },
    { maxFeePerGas: quoted },
    { maxFeePerGas: quoted, maxPriorityFeePerGas: tip },
  ]) {
    const hash = await ask<string>('eth_sendTransaction', { from, to: filler, ...fees });
    await ask('evm_mine');
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
  }
});
