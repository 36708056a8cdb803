import { base64, hex } from '@scure/base';
import { strictBase64 } from '../../core/bytes/strict-base64.js';
import { decodeBech32, encodeAddress } from '../../core/sdk/codec/address.js';
import { checksumAddress } from '../../core/keys/address.js';
import {
  type AccountKey,
  addressOfKey,
  aminoBytes,
  parsePublicKeyJson,
  simpleKey,
} from '../../core/sdk/signing/account-key.js';
import { bytesOfDigits } from '../../core/bytes/hex.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { jsonOf } from '../../core/text/json-object.js';
import { prefixOf } from './keys.js';

/** `debug addr ADDRESS`: converts an address between bech32 and hex, and prints its bytes. */
const addr: CommandBody = ({ ports }, [text = ''], flags) => {
  const decoded = decodeBech32(text);
  const bytes = decoded?.bytes ?? bytesOfDigits(text.replace(/^0x/i, ''));
  if (bytes === undefined || bytes.length === 0)
    throw new CommandError(EXIT.usage, `${JSON.stringify(text)} is neither a bech32 nor a hexadecimal address`);
  const shown = `Address bytes: [${[...bytes].join(' ')}]\n`;
  if (decoded !== undefined) return ports.stdout(`${shown}Address hex: ${checksumAddress(ports.keyCrypto, bytes)}\n`);
  const prefix = flags.text('prefix') ?? prefixOf(flags);
  ports.stdout(
    `${shown}Bech32 Acc ${encodeAddress(prefix, bytes)}\nBech32 Val ${encodeAddress(`${prefix}valoper`, bytes)}\n`,
  );
};

/** `debug pubkey JSON`: the addresses of a public key. */
const pubkey: CommandBody = ({ ports }, [text = ''], flags) => {
  const key = parsePublicKeyJson(jsonOf(text));
  const address = key === undefined ? undefined : addressOfKey(ports.keyCrypto, key);
  if (key === undefined || address === undefined)
    throw new CommandError(EXIT.usage, 'expected {"@type":"/cosmos.evm.crypto.v1.ethsecp256k1.PubKey","key":"..."}');
  const bytes = key.kind === 'multisig' ? aminoBytes(key) : key.key;
  ports.stdout(
    `Address (EIP-55): ${checksumAddress(ports.keyCrypto, address)}\nBech32 Acc: ${encodeAddress(prefixOf(flags), address)}\nPubKey Hex: ${hex.encode(bytes)}\n`,
  );
};

/**
 * `debug pubkey-raw TEXT [-t KIND]`: every encoding of a public key given in hex or base64. If `-t` does not fit, the
 * key length determines the kind.
 */
const pubkeyRaw: CommandBody = ({ ports }, [text = ''], flags) => {
  const bytes = bytesOf(text);
  const kind = bytes?.length === 32 ? 'ed25519' : 'secp256k1';
  const key: AccountKey | undefined = simpleKey(kind, bytes);
  const address = key === undefined ? undefined : addressOfKey(ports.keyCrypto, key);
  if (bytes === undefined || key === undefined || address === undefined)
    throw new CommandError(
      EXIT.usage,
      'a key of 32 (ed25519) or 33 (secp256k1) bytes in hexadecimal or base64 is expected',
    );
  const amino = aminoBytes(key);
  const prefix = prefixOf(flags);
  const type = kind === 'ed25519' ? 'tendermint/PubKeyEd25519' : 'tendermint/PubKeySecp256k1';
  ports.stdout(
    [
      `Parsed key as ${kind}`,
      `Address: ${hex.encode(address).toUpperCase()}`,
      `JSON (base64): ${JSON.stringify({ type, value: base64.encode(bytes) })}`,
      `Bech32 Acc: ${encodeAddress(`${prefix}pub`, amino)}`,
      `Bech32 Validator Operator: ${encodeAddress(`${prefix}valoperpub`, amino)}`,
      // only ed25519 keys are consensus keys
      `Bech32 Validator Consensus: ${kind === 'ed25519' ? encodeAddress(`${prefix}valconspub`, amino) : ''}`,
      '',
    ].join('\n'),
  );
};

/** `debug raw-bytes "[10 21 13]"`: converts a byte slice as Go prints it to hex. */
const rawBytes: CommandBody = ({ ports }, words) => {
  const parts = words
    .join(' ')
    .replace(/^\[|\]$/g, '')
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  const wrong = parts.find((part) => !/^[0-9]{1,3}$/.test(part) || Number(part) > 255);
  if (wrong !== undefined) throw new CommandError(EXIT.usage, `${JSON.stringify(wrong)} is not a byte`);
  ports.stdout(`${hex.encode(Uint8Array.from(parts, Number)).toUpperCase()}\n`);
};

/** `debug prefixes`: the bech32 prefixes. */
const prefixes: CommandBody = ({ ports }, _, flags) => {
  const prefix = prefixOf(flags);
  ports.stdout(`Bech32 Acc: ${prefix}\nBech32 Val: ${prefix}valoper\nBech32 Con: ${prefix}valcons\n`);
};

/** `debug codec list-interfaces|list-implementations`: the types that an `Any` may contain. */
const codecInterfaces: CommandBody = async ({ ports }) => {
  const { INTERFACES } = await import('./interfaces.js');
  ports.stdout(
    Object.keys(INTERFACES)
      .map((name) => `${name}\n`)
      .join(''),
  );
};

const codecImplementations: CommandBody = async ({ ports }, [name = '']) => {
  const { INTERFACES } = await import('./interfaces.js');
  const found = INTERFACES[name];
  if (found === undefined) throw new CommandError(EXIT.notFound, `no interface ${name}`);
  ports.stdout(found.map((typeUrl) => `${typeUrl}\n`).join(''));
};

function bytesOf(text: string): Uint8Array | undefined {
  if (/^(0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{66})$/.test(text)) return bytesOfDigits(text.replace(/^0x/, ''));
  const bech32 = decodeBech32(text);
  if (bech32 !== undefined) return bech32.bytes.subarray(5);
  return strictBase64(text);
}

export const commands: readonly CommandRow[] = [
  command('debug addr <address>', 'the other spelling of an address', ['prefix'], addr, {
    options: [{ flag: '--prefix <prefix>', doc: 'the whole prefix to spell it with' }],
  }),
  command('debug pubkey <json>', 'addresses of a key', ['prefix'], pubkey),
  command('debug pubkey-raw <text>', 'a key of hexadecimal, base64 or bech32', ['prefix'], pubkeyRaw, {
    options: [
      {
        flag: '-t, --type <kind>',
        doc: 'kind of key; its length decides',
        choices: ['secp256k1', 'ed25519'],
        default: 'ed25519',
      },
    ],
  }),
  command('debug raw-bytes <bytes...>', 'hexadecimal of bytes as Go prints them', ['prefix'], rawBytes),
  command('debug prefixes', 'prefixes of addresses', ['prefix'], prefixes),
  command('debug codec list-interfaces', 'interfaces of the types', ['prefix'], codecInterfaces),
  command('debug codec list-implementations <interface>', 'types of an interface', ['prefix'], codecImplementations),
];
