import { base64, hex } from '@scure/base';
import type { AccountKey } from '../../core/sdk/signing/account-key.js';
import type { SigningAlgorithm } from '../../core/keys/keyring.js';
import type { Randomness } from '../../core/ports/time.js';
import { cipherOf, NONCE_BYTES, SALT_BYTES, SCRYPT_N, scryptNOf } from './encryption.js';

const BEGIN = '-----BEGIN CHRONICLE PRIVATE KEY-----';
const END = '-----END CHRONICLE PRIVATE KEY-----';
const COLUMNS = 64;

export type Opened =
  | { readonly ok: true; readonly privateKey: Uint8Array; readonly kind: SigningAlgorithm }
  | { readonly ok: false; readonly message: string };

/**
 * A private key as text, encrypted under a passphrase: headers with the kind of key and scrypt's salt and
 * N, then base64. The format differs from the SDK's armor.
 */
export function sealArmor(
  privateKey: Uint8Array,
  kind: AccountKey['kind'],
  passphrase: string,
  randomness: Randomness,
): string {
  const [salt, nonce] = [randomness.bytes(SALT_BYTES), randomness.bytes(NONCE_BYTES)];
  const sealed = cipherOf(passphrase, salt, SCRYPT_N).encrypt(hex.encode(privateKey), kind, nonce);
  const lines = sealed.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? [];
  return [
    BEGIN,
    'kdf: scrypt',
    `n: ${SCRYPT_N}`,
    `salt: ${hex.encode(salt).toUpperCase()}`,
    `nonce: ${base64.encode(nonce)}`,
    `type: ${kind}`,
    '',
    ...lines,
    END,
  ].join('\n');
}

/** Reads the format of `sealArmor`. */
export function openArmor(text: string, passphrase: string): Opened {
  const body = text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END));
  if (!text.includes(BEGIN) || !text.includes(END))
    return { ok: false, message: `the file holds no ${BEGIN.replaceAll('-', '').replace('BEGIN ', '').toLowerCase()}` };
  const header = (name: string): string | undefined => new RegExp(`^${name}: (.+)$`, 'm').exec(body)?.[1];
  const [kind, salt, nonce] = [header('type'), header('salt') ?? '', header('nonce') ?? ''];
  const cost = scryptNOf(header('n'));
  const sealed = body.slice(body.indexOf('\n\n')).replace(/\s+/g, '');
  if (
    (kind !== 'eth_secp256k1' && kind !== 'secp256k1') ||
    cost === undefined ||
    !/^[0-9A-F]{32}$/.test(salt) ||
    !/^[A-Za-z0-9+/=]{16}$/.test(nonce)
  )
    return { ok: false, message: 'the file is damaged' };
  const cipher = cipherOf(passphrase, hex.decode(salt.toLowerCase()), cost);
  const opened = cipher.decrypt(sealed, kind, base64.decode(nonce));
  if (opened === undefined || !/^[0-9a-f]{64}$/.test(opened)) return { ok: false, message: 'invalid account password' };
  return { ok: true, privateKey: hex.decode(opened), kind };
}
