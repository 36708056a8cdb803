import { expect, test } from 'vitest';
import { ChildBranches } from '../../../src/cli/daemon/child-branches.js';
import type { DaemonOptions } from '../../../src/config/daemon-options.js';
import { runCli } from '../support.js';

async function refusalOf(...words: readonly string[]): Promise<unknown> {
  const { ran } = await runCli(['dev', '--home', '/nowhere', ...words]);
  const { options } = ran[0] as { readonly options: DaemonOptions };
  const branches = new ChildBranches(options, words, { info: () => undefined, error: () => undefined });
  return branches.begin(1n);
}

const ELSEWHERE = 'branches begin only where the Ethereum JSON-RPC listens on loopback alone';

test.each(['--json-rpc.address', '--json-rpc.ws-address'])(
  'a branch is refused when %s listens on all interfaces',
  async (flag) => {
    const error = { code: 'invalid-params', message: ELSEWHERE };
    expect(await refusalOf(flag, '0.0.0.0:8545')).toEqual({ ok: false, error });
  },
);

test('a branch of an ephemeral chain is refused', async () => {
  expect(await refusalOf('--ephemeral')).toMatchObject({ ok: false, error: { code: 'invalid-params' } });
});
