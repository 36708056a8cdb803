/** Fees without flags, on a chain that takes fees in its own denomination only. */
import { expect, test } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const DENOM = 'atest';

test('a transaction without fee flags pays in the denomination of the chain', async () => {
  const home = temporaryFolder();
  const made = await chronicledHere(['init', '--home', home, '--preset', 'evmd', '--default-denom', DENOM]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { endpoints } = await startDaemonProcess({ home });
  const run = (...line: readonly string[]) => chronicledHere([...line, '--node', endpoints.comet]);
  for (const gas of [[], ['--gas', 'auto'], ['--gas', '150000']]) {
    const sent = await run('tx', 'bank', 'send', 'dev0', 'dev1', `7${DENOM}`, '-y', '-b', 'block', ...gas);
    expect(sent.stderr.replace(/^gas estimate: [0-9]+\n/, '')).toBe('');
    expect(sent.code).toBe(0);
    const { tx } = JSON.parse((await run('query', 'tx', JSON.parse(sent.stdout).txhash, '-o', 'json')).stdout);
    const { amount, gas_limit: limit } = tx.auth_info.fee;
    expect(amount).toEqual([{ denom: DENOM, amount: `${BigInt(limit) * 2_000_000_000n}` }]);
  }
}, 60_000);
