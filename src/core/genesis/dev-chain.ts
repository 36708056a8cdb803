/** Default names of a dev chain. */
export const DEV_CHAIN_ID = 'chronicle_271828-1';
export const DEV_BECH32_PREFIX = 'chron';
export const DEV_BASE_DENOM = 'achr';
