/** web3.py's own test module for geth, over HTTP and WebSocket. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { CLIENTS, isInstalled, projectOf, run } from './clients.js';

const MS_MAX = 900_000;
/** Chain id of the module, for which its raw transactions are signed. */
const CHAIN_ID = '131277322940537';

/** Every test that fails, with the reason; test parameters are left out. All other tests pass. */
const LEFT: Readonly<Record<string, string>> = {
  'TestEth::test_eth_get_balance_with_block_identifier':
    'the fees of a block go to all validators and delegators, and no balance of `miner` grows',
  'TestEth::test_invalid_eth_sign_typed_data': 'refused with another text; web3.py expects no node to have its own',
  'TestAsyncEth::test_eth_sign_typed_data': 'web3.py sends nothing: its async form takes no dictionary in a list',
  'TestAsyncEth::test_invalid_eth_sign_typed_data': 'as above',
};
/** A synced node answers `false` at once, as geth does; the test takes whichever message comes first. */
const LEFT_TO_CHANCE = ['test_ws.py::TestPersistentConnection::test_async_eth_subscribe_syncing_mocked[syncing-True]'];

describe.skipIf(!isInstalled("web3.py's tests", 'py/bin/pytest'))("web3.py's own test module", () => {
  it.each(['test_http.py', 'test_ws.py'])(
    '%s fails in the tests with a known difference, and in no other',
    async (file) => {
      const { endpoints } = await startDaemonProcess({
        args: ['--ephemeral', '--evm-chain-id', CHAIN_ID, '--mining', 'interval', '--block-time', '3'],
      });
      const skipped = LEFT_TO_CHANCE.flatMap((name) => ['--deselect', name]);
      const { output } = await run(
        join(CLIENTS, 'py', 'bin', 'pytest'),
        ['-q', '--tb=short', '-rfE', '-p', 'no:cacheprovider', '--asyncio-mode=auto', ...skipped, file],
        {
          cwd: projectOf('web3py', 'contracts'),
          env: { WEB3_HTTP: endpoints.eth_http ?? '', WEB3_WS: endpoints.eth_ws ?? '' },
        },
      );
      const failed = [...output.matchAll(/^(?:FAILED|ERROR) [^:]+::(\w+::\w+)/gm)].map(([, name = '']) => name);
      const known = Object.keys(LEFT).filter((name) => file === 'test_http.py' || name.startsWith('TestAsync'));
      expect([...new Set(failed)].sort(), output).toEqual(known.sort());
      expect(output).toMatch(/ passed/);
    },
    MS_MAX,
  );
});
