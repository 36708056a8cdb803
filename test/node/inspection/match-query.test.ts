import { expect, test } from 'vitest';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { matchQuery } from '../../../src/node/inspection/match-query.js';
import { MemoryStore } from '../../support/memory-store.js';
import { crypto } from '../../core/app/support.js';
import { send, simulate } from '../simulated-node.js';

test('matchQuery returns the events of the last blocks that match, and refuses malformed and long queries', async () => {
  const simulated = await simulate({ store: new MemoryStore() });
  const { node } = simulated;
  const timers = { yield: () => Promise.resolve() };
  const source = { history: node.subscriptions.history, chain: node.api.queries.chain, timers };
  await simulated.mineTo(2n);
  const tx = send(0, 2, 5n, 0n);
  await node.api.commands.broadcastTx(tx);
  await simulated.mineTo(4n);
  const ask = async (query: string, blocks = 100) => {
    const answer = await matchQuery(source, query, blocks);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.value;
  };
  const blocks = await ask("tm.event = 'NewBlock'");
  expect(blocks).toMatchObject({ from: 1n, to: 4n, total: 4 });
  expect(blocks.matches.map(({ height }) => height)).toEqual([1n, 2n, 3n, 4n]);
  expect(await ask("tm.event='NewBlock'", 2)).toMatchObject({ from: 3n, to: 4n, total: 2 });

  const sent = await ask("tm.event='Tx' AND message.module='bank' AND tx.height>2");
  expect(sent.matches).toEqual([
    {
      height: 3n,
      type: 'Tx',
      txHash: upperHex(crypto.sha256(tx)),
      values: { 'tm.event': ['Tx'], 'message.module': ['bank'], 'tx.height': ['3'] },
    },
  ]);
  expect(await ask("tm.event='Tx' AND message.module='gov'")).toMatchObject({ total: 0, matches: [] });
  expect((await ask("tm.event='Tx'")).examined).toBeGreaterThan(8);

  expect(await matchQuery(source, "tm.event = '", 1)).toMatchObject({ ok: false, error: { code: 'bad-query' } });
  expect(await matchQuery(source, `a='${'b'.repeat(600)}'`, 1)).toMatchObject({
    ok: false,
    error: { code: 'limit-exceeded', limit: 'cometQueryBytes' },
  });
  await node.stop();
});
