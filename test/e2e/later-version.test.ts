/** An upgrade plan adds modules to the chain of an earlier build, and keeps every earlier app hash. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startNode } from '../../src/library/start-node.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { getJson } from './comet-client.js';

const PATH = '/evmos/epochs/v1/current_epoch?identifier=day';

test('the plan v3 adds the modules of evmos to the chain of an earlier build', async () => {
  const home = temporaryFolder();
  const fixture = fileURLToPath(new URL('../fixtures/homes/format-1.tar.gz', import.meta.url));
  execFileSync('tar', ['xzf', fixture, '-C', home]);
  const node = await startNode({ home });
  const env = { CHRONICLED_NODE: node.endpoints.comet.replace('http', 'tcp'), CHRONICLED_HOME: home };
  const scheduled = await chronicledHere(['upgrade', 'schedule', 'v3', '--height', '+2', '-y', '-b', 'block'], { env });
  expect(scheduled.code, scheduled.stderr).toBe(0);
  expect(await getJson(node.endpoints.rest, PATH)).toMatchObject({ message: expect.stringContaining('unknown query') });
  const mine = () => node.ethereum.request({ method: 'evm_mine' });
  // The block of the plan halts.
  while (
    await mine().then(
      () => true,
      () => false,
    )
  );
  await node.stop();

  const daemon = await startDaemonProcess({ home, args: ['--app-version', 'v3', '--block-time', '0.2'] });
  const { rest = '' } = daemon.endpoints;
  while (JSON.stringify(await getJson(rest, PATH)) !== '{"current_epoch":"1"}');
  expect(await getJson(rest, '/cosmos/upgrade/v1beta1/module_versions?module_name=epochs')).toEqual({
    module_versions: [{ name: 'epochs', version: '1' }],
  });
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const verified = await chronicledHere(['log', 'verify', '--execute', '--home', home]);
  expect(verified.code, verified.stderr).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({ problems: [], execution: { disagreements: [] } });
});
