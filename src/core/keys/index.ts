/**
 * Keys of accounts: mnemonics, derivation, addresses and signing. For clients and dev chains; the node's own checks use
 * the Crypto port. What must start quickly imports the single files: this page loads all of pure JavaScript's curves.
 */
export { accountOf, devAccounts, privateKeysOf } from './dev-accounts.js';
export { type DevAccount, deriveAccount, deriveDevAccounts, type KeyAccount } from './accounts.js';
export { DEV_MNEMONIC } from './dev-mnemonic.js';
export { isMnemonic, mnemonicOf } from './mnemonic.js';
export { sdkAny, signTx, type TxFee, type UnsignedTx, unsignedTxBytes } from './sign-tx.js';
export { createKeyring, entryOfAccount, entryOfPrivateKey, isAddressOf, type KeyEntry, type KeyFiles, type Keyring, type KeyringResult } from './keyring.js';
