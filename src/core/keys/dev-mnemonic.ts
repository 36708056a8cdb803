/** Well-known mnemonic of development tools; never use it on a real network. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk';

/** Number of its accounts with a name, from `dev0`. */
export const NAMED_DEV_ACCOUNTS = 10;
