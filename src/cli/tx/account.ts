import { fromBinary } from '@bufbuild/protobuf';
import type { SigningContext } from '../../core/keys/tx-signing.js';
import type { Tx } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { type BaseAccount, BaseAccountSchema } from '../../core/proto/cosmos/auth/v1beta1/auth_pb.js';
import {
  QueryAccountRequestSchema,
  QueryAccountResponseSchema,
} from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import type { Metadata } from '../../core/proto/cosmos/bank/v1beta1/bank_pb.js';
import {
  QueryDenomsMetadataRequestSchema,
  QueryDenomsMetadataResponseSchema,
} from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { unpackVesting } from '../../core/modules/auth/vesting/account.js';
import { ask } from '../client/app-query.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { asObject, textOf } from '../client/rpc-client.js';

/**
 * Chain id, account number and sequence for signing: from the flags, else from the node. Offline, the flags must give
 * all of them.
 */
export async function signingContext(context: CommandContext, address: string, flags: Flags): Promise<SigningContext> {
  const [sequence, accountNumber] = [flags.whole('sequence'), flags.whole('account-number')];
  if (context.rpc.offline && (sequence === undefined || accountNumber === undefined))
    throw new CommandError(EXIT.usage, 'account-number and sequence must be set in offline mode');
  const chainId = await chainIdOf(context, flags);
  const shown = flags.text('sign-mode') === 'textual' ? { coinMetadata: await coinMetadataOf(context) } : {};
  if (sequence !== undefined && accountNumber !== undefined) return { chainId, sequence, accountNumber, ...shown };
  const account = await accountOf(context, address);
  return {
    chainId,
    sequence: sequence ?? account.sequence,
    accountNumber: accountNumber ?? account.accountNumber,
    ...shown,
  };
}

/** The signing context of a transaction: the sequence is 0 if it is unordered. */
export function contextOf({ body }: Pick<Tx, 'body'>, at: SigningContext): SigningContext {
  return body?.unordered === true ? { ...at, sequence: 0n } : at;
}

/** Metadata of all denoms by base denom, which sign mode textual needs. */
export async function coinMetadataOf({ rpc }: CommandContext): Promise<ReadonlyMap<string, Metadata>> {
  if (rpc.offline)
    throw new CommandError(EXIT.usage, '--sign-mode textual shows amounts as the node does: not offline');
  const found = new Map<string, Metadata>();
  let key: Uint8Array = EMPTY;
  do {
    const { metadatas, pagination } = await ask(
      rpc,
      '/cosmos.bank.v1beta1.Query/DenomsMetadata',
      QueryDenomsMetadataRequestSchema,
      { pagination: { key } },
      QueryDenomsMetadataResponseSchema,
    );
    for (const metadata of metadatas) found.set(metadata.base, metadata);
    key = pagination?.nextKey ?? EMPTY;
  } while (key.length > 0);
  return found;
}

/** The chain id of a transaction: from the flags, else from the node. */
export async function chainIdOf({ rpc }: CommandContext, flags: Flags): Promise<string> {
  const given = flags.text('chain-id');
  if (given !== undefined) return given;
  if (rpc.offline) throw new CommandError(EXIT.usage, 'chain-id must be set in offline mode');
  return textOf(asObject((await rpc.call('status'))['node_info']), 'network');
}

/** Queries an account with its number and sequence. Throws CommandError for an account type that cannot sign. */
export async function accountOf({ rpc }: CommandContext, address: string): Promise<BaseAccount> {
  const { account } = await ask(
    rpc,
    '/cosmos.auth.v1beta1.Query/Account',
    QueryAccountRequestSchema,
    { address },
    QueryAccountResponseSchema,
  );
  if (account?.typeUrl.endsWith('/cosmos.auth.v1beta1.BaseAccount') === true)
    return fromBinary(BaseAccountSchema, account.value);
  const vesting = account && unpackVesting(account.typeUrl, account.value);
  if (vesting !== undefined) return vesting.base;
  throw new CommandError(
    EXIT.failed,
    `account ${address} is of a kind that cannot sign: ${account?.typeUrl ?? 'none'}`,
  );
}
