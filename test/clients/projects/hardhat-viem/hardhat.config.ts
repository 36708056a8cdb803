import { defineConfig } from 'hardhat/config';
import hardhatToolboxViem from '@nomicfoundation/hardhat-toolbox-viem';

export default defineConfig({
  plugins: [hardhatToolboxViem],
  solidity: { compilers: [{ version: '0.8.30', path: process.env.SOLC }] },
  networks: {
    chronicle: {
      type: 'http',
      chainType: 'l1',
      url: process.env.CHRONICLE ?? 'http://127.0.0.1:8545',
      accounts: 'remote',
    },
  },
});
