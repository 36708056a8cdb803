/** Senders with local sequences, whose transactions are signed without asking the node. */
import { createHash } from 'node:crypto';
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { type Any, anyPack } from '@bufbuild/protobuf/wkt';
import { devAccounts } from '../../src/core/keys/index.js';
import { sdkAny, signTx } from '../../src/core/keys/sign-tx.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';

export const CHAIN_ID = 'chronicle_271828-1';
const MNEMONIC = 'test test test test test test test test test test test junk';
const GAS = 200_000n;
const GAS_PRICE = 2_000_000_000n;

export const ACCOUNTS = devAccounts({ mnemonic: MNEMONIC, count: 10, bech32Prefix: 'chron' });

export interface Signed {
  readonly account: number;
  readonly sequence: bigint;
  /** base64 */
  readonly tx: string;
  /** Upper-case hex. */
  readonly hash: string;
}

export function message<Desc extends DescMessage>(schema: Desc, value: MessageInitShape<Desc>): Any {
  return sdkAny(anyPack(schema, create(schema, value)));
}

/** A transaction of dev account `account`, whose number is its index. */
export function signed(account: number, sequence: bigint, messages: readonly Any[], memo = ''): Signed {
  const key = ACCOUNTS[account]?.privateKey;
  if (key === undefined) throw new Error(`no account ${account}`);
  const fee = { amount: [{ denom: 'achr', amount: GAS * GAS_PRICE }], gasLimit: GAS };
  const bytes = signTx({ messages, memo, fee, chainId: CHAIN_ID, accountNumber: BigInt(account), sequence }, key);
  return { account, sequence, tx: Buffer.from(bytes).toString('base64'), hash: createHash('sha256').update(bytes).digest('hex').toUpperCase() };
}

export function signedSend(account: number, sequence: bigint, amount = 1n): Signed {
  const fromAddress = ACCOUNTS[account]?.bech32 ?? '';
  const toAddress = ACCOUNTS[(account + 1) % ACCOUNTS.length]?.bech32 ?? '';
  return signed(account, sequence, [message(MsgSendSchema, { fromAddress, toAddress, amount: [{ denom: 'achr', amount: String(amount) }] })]);
}
