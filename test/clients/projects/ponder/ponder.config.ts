import { createConfig } from 'ponder';
import { http, parseAbi } from 'viem';

const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

export default createConfig({
  networks: {
    chronicle: { chainId: 271828, transport: http(process.env.CHRONICLE), pollingInterval: 200, disableCache: true },
  },
  contracts: {
    Token: { network: 'chronicle', abi, address: process.env.TOKEN as `0x${string}`, startBlock: 0 },
  },
});
