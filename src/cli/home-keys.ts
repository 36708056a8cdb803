/**
 * Reads the keys that `chronicled init` writes to a home's `config` folder (CometBFT v0.38 `p2p/key.go`,
 * `privval/file.go`).
 */
import { hex } from '../core/bytes/hex.js';
import { strictBase64 } from '../core/bytes/strict-base64.js';
import { ed25519Address } from '../core/comet/address.js';
import { asObject } from '../core/text/json-object.js';
import type { CommandContext } from './context.js';
import { EXIT } from '../config/exit-codes.js';
import { CommandError } from './command-error.js';
import { type JsonObject, objectAt, readJson } from './genesis-file.js';
import { PURE_CRYPTO } from './tx/pure-crypto.js';

const KEY_BYTES = 32;

/** The node id: 40 lower-case hex digits. */
export function nodeIdOf(context: CommandContext): string {
  const { path, json } = configFile(context, 'node_key.json');
  if (typeof json['id'] === 'string') return json['id'];
  const pair = bytesAt(asObject(json['priv_key'])?.['value'], path, 2 * KEY_BYTES);
  return hex(ed25519Address(PURE_CRYPTO, pair.subarray(KEY_BYTES)));
}

/** The public key of the validator, ed25519, 32 bytes. */
export function consensusKeyOf(context: CommandContext): Uint8Array {
  const { path, json } = configFile(context, 'priv_validator_key.json');
  return bytesAt(asObject(json['pub_key'])?.['value'], path, KEY_BYTES);
}

/** The 32-byte seed of the private key in a `priv_validator_key.json` file. */
export function validatorSeedIn(context: CommandContext, path: string): Uint8Array {
  const json = objectAt(readJson(context, path), path);
  return bytesAt(asObject(json['priv_key'])?.['value'], path, 2 * KEY_BYTES).subarray(0, KEY_BYTES);
}

function configFile(context: CommandContext, name: string): { readonly path: string; readonly json: JsonObject } {
  const path = `${context.home()}/config/${name}`;
  return { path, json: objectAt(readJson(context, path), path) };
}

function bytesAt(value: unknown, path: string, length: number): Uint8Array {
  const bytes = typeof value === 'string' ? strictBase64(value) : undefined;
  if (bytes?.length !== length) throw new CommandError(EXIT.config, `${path} is not the file that init writes`);
  return bytes;
}
