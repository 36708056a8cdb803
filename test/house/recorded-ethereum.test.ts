/** `docs/generated/recorded-ethereum.md` is made from the list of differences; `-u` writes it again. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DIFFERENCES } from '../node/recorded-ethereum/differences.js';

const INTRODUCTION = `# Recorded Ethereum answers that differ

A node of cosmos/evm v0.6.0 was asked on a recorded chain; its answers are in \`test/fixtures/recordings.br\`
(\`faces/eth-*.jsonl\`, one line for each request or frame). \`test/node/recorded-ethereum\` executes the blocks of that
chain, sends the same requests at the same heights and compares status, content type and JSON values. An answer that is
not in this table is equal; an answer of this table that becomes equal fails the test. \`test/house/recorded-ethereum.test.ts\`
makes this page from \`test/node/recorded-ethereum/differences.ts\`.

Three kinds of members are not compared: \`size\` and \`miner\` of blocks, \`totalDifficulty\` of blocks and
\`blockTimestamp\` of transactions. Notifications are compared within each subscription. The mempools were recorded on
chains without recorded blocks: a node with the same nonces is asked, and requests about CometBFT's mempool are left out.

| recording | lines | what differs, and why |
|---|---|---|
`;

it('docs/generated/recorded-ethereum.md equals the list of differences', async () => {
  const rows = DIFFERENCES.map(({ recording, lines, why }) => `| \`${recording}\` | ${lines} | ${why} |\n`);
  const page = join(import.meta.dirname, '../../docs/generated/recorded-ethereum.md');
  await expect(`${INTRODUCTION}${rows.join('')}`).toMatchFileSnapshot(page);
});
