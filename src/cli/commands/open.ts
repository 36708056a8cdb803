import type { CommandBody } from '../table/command-table.js';
import { askEthereum } from '../client/eth-client.js';

/** `open`: prints the address of a node's web page and opens it in the browser, if there is one. */
export const open: CommandBody = async ({ ports }, _args, flags) => {
  const node = flags.needed('eth-node');
  // Fails if no node listens at the address.
  await askEthereum(node, 'web3_clientVersion', []);
  const address = /^https?:\/\//.test(node) ? node : `http://${node.replace(/^tcp:\/\//, '')}`;
  ports.stdout(`${address}\n`);
  if (!(await ports.openPage(address))) ports.stderr('no browser was found: open this address in one\n');
};
