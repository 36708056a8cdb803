/** The well-known mnemonic of development tools, never for a real network. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk';

/** The number of its accounts that have a name, from `dev0` on. */
export const NAMED_DEV_ACCOUNTS = 10;
