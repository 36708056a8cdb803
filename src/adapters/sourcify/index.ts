/** The part of the Sourcify API, version 2, that `forge verify-contract` and hardhat's plugin use. */
export { withSourcify } from './http.js';
