import { base64 } from '@scure/base';
import type { KeyFiles } from '../../core/keys/keyring.js';
import type { CliPorts } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { type Cipher, cipherOf, NONCE_BYTES, SALT_BYTES, SCRYPT_N, scryptNOf } from './encryption.js';

/** Holds the keyring's salt, scrypt's N and a text encrypted under the passphrase, by which a passphrase is checked. */
const CHECK_FILE = 'keyring.check';
const CHECK_TEXT = 'chronicle keyring';
const MIN_PASSPHRASE = 8;

interface Sealed {
  readonly salt?: string;
  /** scrypt's N beside the salt; earlier builds did not write it. */
  readonly n?: string;
  readonly nonce: string;
  readonly sealed: string;
}

/**
 * Files of a keyring under one passphrase. The passphrase is prompted for at once; the first use of a directory sets
 * it.
 */
export async function openEncryptedFiles(
  files: KeyFiles,
  ports: Pick<CliPorts, 'readLine' | 'randomness'>,
): Promise<KeyFiles> {
  const check = files.read(CHECK_FILE);
  const cipher = check === undefined ? await newPassphrase(files, ports) : await knownPassphrase(check, ports);
  return {
    read(file) {
      const text = files.read(file);
      if (text === undefined) return undefined;
      const { nonce, sealed } = parse(text, file);
      const opened = cipher.decrypt(sealed, file, base64.decode(nonce));
      if (opened === undefined) throw new CommandError(EXIT.failed, `${file} is damaged, or of another keyring`);
      return opened;
    },
    write: (file, text) => files.write(file, seal(cipher, file, text, ports)),
    remove: (file) => files.remove(file),
    list: () => files.list().filter((file) => file !== CHECK_FILE),
  };
}

async function newPassphrase(files: KeyFiles, ports: Pick<CliPorts, 'readLine' | 'randomness'>): Promise<Cipher> {
  const passphrase = await ports.readLine(`Enter keyring passphrase (at least ${MIN_PASSPHRASE} characters): `, true);
  if (passphrase === undefined || passphrase.length < MIN_PASSPHRASE)
    throw new CommandError(EXIT.usage, `password must be at least ${MIN_PASSPHRASE} characters`);
  if ((await ports.readLine('Re-enter keyring passphrase: ', true)) !== passphrase)
    throw new CommandError(EXIT.usage, "passphrase don't match");
  const salt = ports.randomness.bytes(SALT_BYTES);
  const cipher = cipherOf(passphrase, salt, SCRYPT_N);
  files.write(CHECK_FILE, seal(cipher, CHECK_FILE, CHECK_TEXT, ports, salt));
  return cipher;
}

async function knownPassphrase(check: string, ports: Pick<CliPorts, 'readLine'>): Promise<Cipher> {
  const { salt, n, nonce, sealed } = parse(check, CHECK_FILE);
  const cost = scryptNOf(n);
  if (cost === undefined) throw notEncrypted(CHECK_FILE);
  const passphrase = await ports.readLine('Enter keyring passphrase: ', true);
  if (passphrase === undefined) throw new CommandError(EXIT.usage, 'a passphrase is needed on standard input');
  const cipher = cipherOf(passphrase, base64.decode(salt ?? ''), cost);
  if (cipher.decrypt(sealed, CHECK_FILE, base64.decode(nonce)) !== CHECK_TEXT)
    throw new CommandError(EXIT.failed, 'incorrect passphrase');
  return cipher;
}

function seal(
  cipher: Cipher,
  file: string,
  text: string,
  { randomness }: Pick<CliPorts, 'randomness'>,
  salt?: Uint8Array,
): string {
  const nonce = randomness.bytes(NONCE_BYTES);
  return `${JSON.stringify({ ...(salt !== undefined && { salt: base64.encode(salt), n: SCRYPT_N }), nonce: base64.encode(nonce), sealed: cipher.encrypt(text, file, nonce) })}\n`;
}

function parse(text: string, file: string): Sealed {
  try {
    const { salt, n, nonce, sealed }: { readonly [name: string]: unknown } = JSON.parse(text);
    if (typeof nonce === 'string' && typeof sealed === 'string')
      return {
        nonce,
        sealed,
        ...(typeof salt === 'string' && { salt, ...(n !== undefined && { n: JSON.stringify(n) }) }),
      };
  } catch {
    // The error is thrown below: the text is not JSON.
  }
  throw notEncrypted(file);
}

function notEncrypted(file: string): CommandError {
  return new CommandError(EXIT.failed, `${file} is no file of an encrypted keyring`);
}
