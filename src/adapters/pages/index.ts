/** Pages for browsers and the faucet of dev mode (`docs/interfaces/pages.md`). */
export { withFaucet, type ReadAddress, type SendAnswer } from './faucet.js';
export { withPage, type PageName } from './pages.js';
