/** Time from spawn to the first Ethereum answer on a new chain, and memory at rest. */
import { median } from './figures.js';
import { row } from './ethereum/compare.js';
import { residentBytes, startAnvil, startOurs } from './ethereum/peers.js';

const STARTS = 3;

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const times = { ours: [], anvil: [] };
  const memory = { ours: [], anvil: [] };
  for (let start = 0; start < STARTS; start += 1) {
    for (const begin of [startOurs, startAnvil]) {
      const peer = await begin({});
      if (peer === undefined) continue;
      times[peer.name].push(peer.started);
      memory[peer.name].push(residentBytes(peer) / 1e6);
      await peer.stop();
    }
  }
  const of = (samples) => (samples.length === 0 ? undefined : median(samples));
  return [
    row('spawn to the first eth_blockNumber, new chain, median', 'ms', 'less', of(times.ours), of(times.anvil)),
    row('resident after the start', 'MB', 'less', of(memory.ours), of(memory.anvil)),
  ];
}
