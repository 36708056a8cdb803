import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { strictBase64 } from '../../core/bytes/strict-base64.js';
import { PubKeySchema } from '../../core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { KEY_TYPES } from '../../core/sdk/signing/account-key.js';
import { parseDec } from '../../core/sdk/coins/dec.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { asObject } from '../client/rpc-client.js';
import { parseJson } from '../values/tx-json.js';
import { readText } from './read.js';

/** A validator as described by its file; `amount`: the self-delegation as typed. */
interface ValidatorFile {
  readonly amount: string;
  readonly pubkey: Any;
  readonly description: Readonly<Record<'moniker' | 'identity' | 'website' | 'securityContact' | 'details', string>>;
  readonly commission: Readonly<Record<'rate' | 'maxRate' | 'maxChangeRate', string>>;
  readonly minSelfDelegation: string;
}

/**
 * Reads the file of `tx staking create-validator`, with the defaults of cosmos-sdk v0.53
 * (`x/staking/client/cli/utils.go`, parseAndValidateValidatorJSON).
 */
export async function validatorOfFile(context: CommandContext, file: string): Promise<ValidatorFile> {
  return validatorOfJson(file, asObject(parseJson(await readText(context, file), file)));
}

/** Parses a validator as `validatorOfFile` does; `file` names the source in errors. */
export function validatorOfJson(file: string, validator: Readonly<Record<string, unknown>>): ValidatorFile {
  const text = (name: string): string => {
    const value = validator[name] ?? '';
    if (typeof value !== 'string') throw new CommandError(EXIT.usage, `${file}: ${name} is not a text`);
    return value;
  };
  const needed = (name: string, what: string): string => {
    const value = text(name);
    if (value === '') throw new CommandError(EXIT.usage, `${file}: must specify ${what}`);
    return value;
  };
  const rate = (name: string, byDefault: string): string => {
    const value = parseDec(text(name) === '' ? byDefault : text(name));
    if (value === undefined) throw new CommandError(EXIT.usage, `${file}: ${name} is not a decimal`);
    return value.toString();
  };
  return {
    amount: needed('amount', 'amount of coins to bond'),
    pubkey: keyOf(file, validator['pubkey']),
    description: {
      moniker: needed('moniker', 'the moniker name'),
      identity: text('identity'),
      website: text('website'),
      securityContact: text('security'),
      details: text('details'),
    },
    commission: {
      rate: rate('commission-rate', '0.1'),
      maxRate: rate('commission-max-rate', '0.2'),
      maxChangeRate: rate('commission-max-change-rate', '0.01'),
    },
    minSelfDelegation: leastOf(file, text('min-self-delegation')),
  };
}

/** Parses the minimum self-delegation: a positive whole number; by default 1. */
function leastOf(file: string, text: string): string {
  if (text === '') return '1';
  if (/^[0-9]{1,78}$/.test(text) && BigInt(text) > 0n) return text;
  throw new CommandError(EXIT.usage, `${file}: minimum self delegation must be a positive integer`);
}

/** Parses `{"@type": "/cosmos.crypto.ed25519.PubKey", "key": "base64"}`, as `comet show-validator` prints it. */
function keyOf(file: string, pubkey: unknown): Any {
  const { '@type': type, key } = asObject(pubkey);
  const { typeUrl } = KEY_TYPES.ed25519;
  if (type !== typeUrl || typeof key !== 'string')
    throw new CommandError(EXIT.usage, `${file}: pubkey must be {"@type":"${typeUrl}","key":"..."}`);
  const bytes = strictBase64(key);
  if (bytes === undefined) throw new CommandError(EXIT.usage, `${file}: the key of pubkey is not base64`);
  return create(AnySchema, { typeUrl, value: toBinary(PubKeySchema, create(PubKeySchema, { key: bytes })) });
}
