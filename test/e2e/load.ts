/** Senders that count their sequences and sign both kinds of transactions without asking the node. */
import { createHash } from 'node:crypto';
import secp256k1 from 'secp256k1';
import type { Any } from '@bufbuild/protobuf/wkt';
import { encodeForSigning, encodeTransaction } from '../../src/core/ethereum/transaction-codec.js';
import { bytesOfDigits, hexData } from '../../src/core/bytes/hex.js';
import { bigintOfBytes } from '../../src/core/bytes/big-endian.js';
import type { DynamicFeeTransaction, LegacyTransaction } from '../../src/core/ethereum/transaction.js';
import { writeWrapper } from '../../src/core/ethereum/wrapper-codec.js';
import { statedFee } from '../../src/core/modules/evm/ethereum-message.js';
import { crypto } from '../core/app/support.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { devAccounts } from '../support/accounts.js';
import { anyOf, signTx } from '../support/sign-tx.js';

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
  /** The bytes and hash of an Ethereum transaction, as Ethereum clients write them. */
  readonly ethereum?: { readonly raw: string; readonly hash: string };
}

/** A transaction of dev account `account`, whose number is its index. */
export function signed(account: number, sequence: bigint, messages: readonly Any[], memo = '', gas = GAS): Signed {
  const key = ACCOUNTS[account]?.privateKey;
  if (key === undefined) throw new Error(`no account ${account}`);
  const fee = { amount: [{ denom: 'achr', amount: gas * GAS_PRICE }], gasLimit: gas };
  const bytes = signTx({ messages, memo, fee, chainId: CHAIN_ID, accountNumber: BigInt(account), sequence }, key);
  return {
    account,
    sequence,
    tx: Buffer.from(bytes).toString('base64'),
    hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
  };
}

export function signedSend(account: number, sequence: bigint, amount = 1n): Signed {
  const fromAddress = ACCOUNTS[account]?.bech32 ?? '';
  const toAddress = ACCOUNTS[(account + 1) % ACCOUNTS.length]?.bech32 ?? '';
  return signed(account, sequence, [
    anyOf(MsgSendSchema, { fromAddress, toAddress, amount: [{ denom: 'achr', amount: String(amount) }] }),
  ]);
}

/** Init code that stores a slot and emits a log, and leaves no code. */
const STORES_AND_LOGS = '600160005560006000a000';

/** An Ethereum transaction of a dev account: a transfer of type 2; every third is a contract creation of type 0. */
export function signedEthereum(account: number, nonce: bigint): Signed {
  const to = bytesOf(ACCOUNTS[(account + 1) % ACCOUNTS.length]?.hex ?? '');
  const unsigned: LegacyTransaction | DynamicFeeTransaction =
    nonce % 3n === 0n
      ? {
          ...UNSIGNED,
          type: 0,
          chainId: EVM_CHAIN_ID,
          nonce,
          to: undefined,
          value: 0n,
          gasLimit: 200_000n,
          gasPrice: GAS_PRICE,
          data: bytesOf(STORES_AND_LOGS),
        }
      : {
          ...UNSIGNED,
          type: 2,
          chainId: EVM_CHAIN_ID,
          nonce,
          to,
          value: 1n,
          gasLimit: 21_000n,
          maxFeePerGas: GAS_PRICE,
          maxPriorityFeePerGas: 1_000_000_000n,
          accessList: [],
          data: new Uint8Array(),
        };
  return signEthereum(account, unsigned);
}

/** Signs any fields with the key of a dev account. */
export function signEthereum(account: number, unsigned: LegacyTransaction | DynamicFeeTransaction): Signed {
  const key = ACCOUNTS[account];
  if (key === undefined) throw new Error(`no account ${account}`);
  const { signature, recid } = secp256k1.ecdsaSign(crypto.keccak256(encodeForSigning(unsigned)), key.privateKey);
  const transaction = {
    ...unsigned,
    r: bigintOfBytes(signature.subarray(0, 32)),
    s: bigintOfBytes(signature.subarray(32)),
    yParity: recid === 1 ? 1 : 0,
  } as const;
  const raw = encodeTransaction(transaction);
  const fee = statedFee(transaction);
  const tx = writeWrapper({ from: bytesOf(key.hex), raw, denom: 'achr', fee, gasLimit: transaction.gasLimit });
  return {
    account,
    sequence: unsigned.nonce,
    tx: Buffer.from(tx).toString('base64'),
    hash: createHash('sha256').update(tx).digest('hex').toUpperCase(),
    ethereum: { raw: hexData(raw), hash: hexData(crypto.keccak256(raw)) },
  };
}

const EVM_CHAIN_ID = 271_828n;
export const UNSIGNED = { r: 0n, s: 0n, yParity: 0 } as const;

function bytesOf(text: string): Uint8Array {
  const bytes = bytesOfDigits(text.replace(/^0x/u, ''));
  if (bytes === undefined) throw new Error(`${text} is not hexadecimal`);
  return bytes;
}

/** The next transaction of an account, of either kind. */
export function signedEither(account: number, sequence: bigint): Signed {
  return (BigInt(account) + sequence) % 2n === 0n ? signedSend(account, sequence) : signedEthereum(account, sequence);
}
