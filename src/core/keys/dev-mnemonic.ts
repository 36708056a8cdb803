/** The well-known mnemonic of development tools, never for a real network. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk';
