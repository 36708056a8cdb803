/**
 * Records a chain for `chronicled debug compare-chain`: `node scripts/record-chain.js <RPC URL> <folder>`. It
 * requests the genesis and every block with its results from any CometBFT node.
 */
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';

const [url, folder] = process.argv.slice(2);
if (url === undefined || folder === undefined) throw new Error('name the URL of the RPC and a folder');

/** @param {string} route */
async function ask(route) {
  const { result, error } = await (await fetch(new URL(route, url))).json();
  if (error !== undefined) throw new Error(`${route}: ${error.data ?? error.message}`);
  return result;
}

/** Results of a height; undefined while the newest block has none yet. */
async function resultsOf(height) {
  try {
    return await ask(`/block_results?height=${height}`);
  } catch (error) {
    if (height < last) throw error;
  }
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'genesis.json'), JSON.stringify((await ask('/genesis')).genesis));
const { sync_info: head } = await ask('/status');
const [first, last] = [Number(head.earliest_block_height), Number(head.latest_block_height)];
if (first !== 1) throw new Error(`the node has no blocks before ${first}`);
const out = createWriteStream(join(folder, 'blocks.jsonl'));
for (let height = first; height <= last; height += 1) {
  const [block, results] = await Promise.all([ask(`/block?height=${height}`), resultsOf(height)]);
  if (!out.write(`${JSON.stringify({ height, block, block_results: results })}\n`)) await once(out, 'drain');
}
out.end();
await once(out, 'finish');
process.stdout.write(`${last} heights in ${folder}\n`);
