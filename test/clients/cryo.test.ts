/**
 * Unmodified cryo reads blocks in every dataset that a node without JavaScript tracers supports.
 * `CHRONICLED_CRYO_BLOCKS=2000 npx vitest run --testTimeout 0 test/clients/cryo.test.ts` reads a longer chain.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { CLIENTS, isInstalled, projectOf, run } from './clients.js';

const BLOCKS = Number(process.env['CHRONICLED_CRYO_BLOCKS'] ?? '200');
const EMPTY_BETWEEN = 19;
/** Each contract creation stores 1 in slot 0, logs with topic 2, and leaves no code. */
const CREATION = '0x6001600055600260006000a100';

/** Rows of each dataset: for each block with a transfer and a creation, and for all blocks. */
const ROWS: Readonly<Record<string, (filled: number, blocks: number) => number>> = {
  blocks: (_, blocks) => blocks,
  transactions: (filled) => 2 * filled,
  logs: (filled) => filled,
  contracts: (filled) => filled,
  native_transfers: (filled) => 2 * filled,
  traces: (filled) => 2 * filled,
  geth_calls: (filled) => 2 * filled,
  // PUSH1 PUSH1 SSTORE PUSH1 PUSH1 PUSH1 LOG1 STOP
  geth_opcodes: (filled) => 8 * filled,
  vm_traces: (filled) => 8 * filled,
  storage_diffs: (filled) => filled,
};

it.skipIf(!isInstalled('cryo', 'cryo/bin/python'))(
  'cryo reads blocks, logs, traces and differences of state',
  async () => {
    const { endpoints } = await startDaemonProcess({ args: ['--ephemeral', '--mining', 'manual'] });
    const rpc = endpoints.eth_http ?? '';
    const call = async (method: string, params: readonly unknown[]) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const answer = await fetch(rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const { result, error } = JSON.parse(await answer.text());
      expect(error, method).toBeUndefined();
      return result;
    };
    const [from, to] = await call('eth_accounts', []);
    const filled = BLOCKS / (EMPTY_BETWEEN + 1);
    for (let block = 0; block < filled; block += 1) {
      await call('eth_sendTransaction', [{ from, to, value: '0x1' }]);
      await call('eth_sendTransaction', [{ from, data: CREATION, gas: '0x30d40' }]);
      await call('anvil_mine', [`0x${(EMPTY_BETWEEN + 1).toString(16)}`]);
    }
    expect(await call('eth_blockNumber', [])).toBe(`0x${BLOCKS.toString(16)}`);

    const { output } = await run(
      join(CLIENTS, 'cryo', 'bin', 'python'),
      ['read.py', rpc, (BLOCKS + 1).toString(), ...Object.keys(ROWS)],
      { cwd: projectOf('cryo', 'contracts') },
    );
    const read = [...output.matchAll(/^(?:rows|failed) .*$/gm)].map(([line]) => line);
    expect(read, output).toEqual(Object.entries(ROWS).map(([name, rows]) => `rows ${name} ${rows(filled, BLOCKS)}`));
  },
  300_000,
);
