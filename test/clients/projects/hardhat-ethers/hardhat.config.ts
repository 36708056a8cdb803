import { defineConfig } from 'hardhat/config';
import hardhatToolboxMochaEthers from '@nomicfoundation/hardhat-toolbox-mocha-ethers';

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers],
  solidity: { compilers: [{ version: '0.8.30', path: process.env.SOLC }] },
  verify: { sourcify: { enabled: true, apiUrl: process.env.CHRONICLE } },
  networks: {
    chronicle: {
      type: 'http',
      chainType: 'l1',
      url: process.env.CHRONICLE ?? 'http://127.0.0.1:8545',
      accounts: 'remote',
    },
  },
});
