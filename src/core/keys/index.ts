/** Keys of accounts: mnemonics, derivation, addresses and signing. For clients and dev chains; the node's own checks use the Crypto port. */
export { checksumAddress, ethAddressOf, publicKeyOf } from './address.js';
export { accountOf, type DevAccount, devAccounts, type KeyAccount } from './dev-accounts.js';
export { keyPath, privateKeysOf } from './hd-key.js';
export { DEV_MNEMONIC, isMnemonic, mnemonicOf } from './mnemonic.js';
export { sdkAny, signEthSecp256k1, signTx, type TxFee, type UnsignedTx, unsignedTxBytes } from './sign-tx.js';
export { createKeyring, isAddressOf, type KeyFiles, type Keyring, type KeyringResult } from './keyring.js';
