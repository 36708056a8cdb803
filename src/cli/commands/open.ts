import type { CommandBody } from '../table/command-table.js';
import { askEthereum } from '../client/eth-client.js';

/** `open`: shows the page of a node in the browser; prints its address, which is all where there is no browser. */
export const open: CommandBody = async ({ ports }, _args, flags) => {
  const node = flags.needed('eth-node');
  // Refuses an address where no node listens.
  await askEthereum(node, 'web3_clientVersion', []);
  const address = /^https?:\/\//.test(node) ? node : `http://${node.replace(/^tcp:\/\//, '')}`;
  ports.stdout(`${address}\n`);
  if (!(await ports.openPage(address))) ports.stderr('no browser was found: open this address in one\n');
};
