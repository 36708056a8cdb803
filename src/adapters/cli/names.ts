import { encodeAddress, parseAddress } from '../../core/app/address.js';
import { deriveDevAccounts, type KeyAccount } from '../../core/keys/accounts.js';
import { DEV_MNEMONIC } from '../../core/keys/dev-mnemonic.js';
import { createKeyring, isAddressOf } from '../../core/keys/keyring.js';
import type { KeyCrypto } from '../../core/ports/key-crypto.js';
import { Bech32PrefixRequestSchema, Bech32PrefixResponseSchema } from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { ask } from './app-query.js';
import type { CommandContext } from './context.js';
import { CommandError, EXIT } from './exit-codes.js';

const DEV_ACCOUNTS = 10;

/** Prefix of the node's addresses: data of the chain. */
export async function nodePrefix({ rpc }: CommandContext): Promise<string> {
  const { bech32Prefix } = await ask(rpc, '/cosmos.auth.v1beta1.Query/Bech32Prefix', Bech32PrefixRequestSchema, {}, Bech32PrefixResponseSchema);
  return bech32Prefix;
}

/** A key that can sign: of the keyring by name or address, else one of the well-known dev accounts (`dev0` to `dev9`). */
export function signerOf(context: CommandContext, nameOrAddress: string, prefix: string): KeyAccount {
  const found = createKeyring(context.ports.keyCrypto, context.ports.keyring(context.keyDirectory()), prefix).find(nameOrAddress);
  if (found.ok) return found.value;
  const account = devAccount(context.ports.keyCrypto, nameOrAddress, prefix);
  if (account === undefined) throw new CommandError(EXIT.notFound, found.message);
  return account;
}

/** Address as the chain spells it, of a key's name, a bech32 or a 0x address. */
export function addressOf(context: CommandContext, text: string, prefix: string): string {
  const bytes = parseAddress(prefix, text);
  return bytes === undefined ? signerOf(context, text, prefix).bech32 : encodeAddress(prefix, bytes);
}

function devAccount(crypto: KeyCrypto, nameOrAddress: string, prefix: string): KeyAccount | undefined {
  return deriveDevAccounts(crypto, { mnemonic: DEV_MNEMONIC, count: DEV_ACCOUNTS, bech32Prefix: prefix }).find(
    (account) => account.name === nameOrAddress || isAddressOf(account, nameOrAddress),
  );
}
