/** Sourcify's API, version 2, as far as `forge verify-contract` and hardhat's plugin speak it. */
export { withSourcify } from './http.js';
