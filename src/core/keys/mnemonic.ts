import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** The well-known mnemonic of development tools (design section 9): never for a real network. */
export const DEV_MNEMONIC = 'test test test test test test test test test test test junk';

/** True for English BIP-39 words with a correct checksum. */
export function isMnemonic(mnemonic: string): boolean {
  return validateMnemonic(mnemonic, wordlist);
}

/** Words for entropy of 16 to 32 bytes (BIP-39): 32 bytes give 24 words. */
export function mnemonicOf(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist);
}

/** 64-byte seed of a mnemonic without a passphrase (BIP-39). Throws for words that are none. */
export function seedOf(mnemonic: string): Uint8Array {
  return mnemonicToSeedSync(mnemonic);
}
