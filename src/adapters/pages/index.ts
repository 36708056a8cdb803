/** Pages for browsers and the faucet of dev mode (`docs/interfaces/pages.md`). */
export { withFaucet, type ReadAddress, type SendAnswer } from './faucet.js';
export { withProcessHeader } from './process-header.js';
export { APP_VIEWS, withPage, type PageName } from './pages.js';
