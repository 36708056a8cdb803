/** Methods that sign with the node's keys (geth v1.17 `internal/ethapi/api.go`). It holds keys in dev mode only. */
import { wordOf } from '../../../core/bytes/big-endian.js';
import { concat, utf8 } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import { pendingTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { encodeTransaction } from '../../../core/ethereum/transaction-codec.js';
import { signingHash } from '../../../core/ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../core/ethereum/transaction.js';
import { typedDataDigest } from '../../../core/ethereum/typed-data.js';
import type { UnsignedTransaction } from '../../../core/ethereum/unsigned.js';
import { DEFAULT_LIMITS } from '../../../core/limits/limits.js';
import { asObject, jsonOf } from '../../../core/text/json-object.js';
import { hasMoreJsonParts } from '../../../core/text/json-parts.js';
import { invalidParams } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok, quoted } from '../method.js';
import { address, data } from '../params/hex.js';
import { type Param, bad, good, optional, required } from '../params/param.js';
import { type SendingArguments, sendingArguments } from '../params/sending-arguments.js';
import type { Resolved } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';
import { UNKNOWN_ACCOUNT, fill, holdsKey, makeReady } from './fill.js';

const TYPED_DATA: schema.Schema = {
  title: 'TypedData',
  ...schema.objectOf({
    types: {
      type: 'object',
      description: 'EIP712Domain is made of the members of domain unless it is here',
      minProperties: 1,
      additionalProperties: schema.listOf(schema.objectOf({ name: schema.TEXT, type: schema.TEXT })),
    },
    primaryType: { type: 'string', description: 'one of the names in types, or EIP712Domain' },
    domain: { type: 'object' },
    message: { type: 'object' },
  }),
};

/** EIP-712 typed data: an object, or JSON text, which some wallets send. */
const typedData: Param<unknown> = required('typed data', TYPED_DATA, (value) => {
  if (typeof value !== 'string') return good(value);
  if (hasMoreJsonParts(value)) return bad(`limit jsonParts (${DEFAULT_LIMITS.jsonParts}) exceeded`);
  const json = jsonOf(value);
  return json === undefined ? bad('typed data is not JSON') : good(json);
});
/** A password, as clients send it to nodes with locked keys; it is ignored. */
export const password: Param<undefined> = required('password', schema.TEXT, () => good(undefined));

/** Creates the methods that sign a transaction, message or typed data without sending it. */
export function signMethods(): readonly Method[] {
  return [
    method(
      'eth_signTransaction',
      'Signs a transaction of an account of the node',
      [sendingArguments],
      result.SIGNED_TRANSACTION,
      async ([args], context) => {
        const signed = await signedArguments(args, context);
        if (!('raw' in signed)) return signed;
        const { raw, ...transaction } = signed;
        const pending = { hash: context.crypto.keccak256(raw), ...transaction };
        return ok(`{"raw":"${hexData(raw)}","tx":${pendingTransactionJson(pending)}}`);
      },
    ),
    // ganache answers only the signed bytes (v7.9 `packages/ethereum/ethereum/src/api.ts`)
    method(
      'personal_signTransaction',
      'Signs a transaction of an account of the node; answers its bytes',
      [sendingArguments, optional(password)],
      schema.DATA,
      async ([args], context) => {
        const signed = await signedArguments(args, context);
        return 'raw' in signed ? quoted(hexData(signed.raw)) : signed;
      },
    ),
    method(
      'eth_sign',
      'Signs a message (EIP-191) with a key of the node',
      [address, data],
      result.SIGNATURE,
      ([account, message], context) => signMessage(account, message, context),
    ),
    ...(['eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4'] as const).map((name) =>
      method(
        name,
        'Signs typed data (EIP-712) with a key of the node',
        [address, typedData],
        result.SIGNATURE,
        ([account, document], context) => {
          if (!holdsKey(context.api, account)) return failed(UNKNOWN_ACCOUNT);
          if (name === 'eth_signTypedData_v3' && hasArrays(document))
            return failed(invalidParams('invalid argument 1: version 3 has no arrays: use eth_signTypedData_v4'));
          const typed = typedDataDigest(context.crypto, document);
          return typed.ok
            ? signDigest(account, typed.digest, context)
            : failed(invalidParams(`invalid argument 1: ${typed.message}`));
        },
      ),
    ),
    // wallets send two parameters; ethermint's clients add a password
    method(
      'personal_sign',
      'Signs a message (EIP-191) with a key of the node',
      [data, address, optional(password)],
      result.SIGNATURE,
      ([message, account], context) => signMessage(account, message, context),
    ),
  ];
}

function signMessage(account: Uint8Array, message: Uint8Array, context: MethodContext): Answer {
  const prefix = utf8(`\u0019Ethereum Signed Message:\n${message.length}`);
  return signDigest(account, context.crypto.keccak256(concat(prefix, message)), context);
}

/** Answers a 65-byte signature; the last byte is 27 or 28. */
function signDigest(account: Uint8Array, digest: Uint8Array, { api }: MethodContext): Answer {
  const signature = api.signDigest(account, digest);
  if (signature === undefined) return failed(UNKNOWN_ACCOUNT);
  return quoted(hexData(concat(wordOf(signature.r), wordOf(signature.s), Uint8Array.of(27 + signature.yParity))));
}

/** True if a type of the EIP-712 data has an array member. */
function hasArrays(document: unknown): boolean {
  return Object.values(asObject(asObject(document)?.['types']) ?? {}).some(
    (members) => Array.isArray(members) && members.some((member) => String(asObject(member)?.['type']).endsWith(']')),
  );
}

interface Signed {
  readonly raw: Uint8Array;
  readonly from: Uint8Array;
  readonly transaction: EthereumTransaction;
}

/** Fills and signs a transaction of an account whose key the node holds. */
async function signedArguments(args: SendingArguments, context: MethodContext): Promise<Signed | Answer> {
  const ready = await makeReady(args, context);
  if (!('gas' in ready)) return ready;
  const { from } = ready;
  const signed = sign(fill(args, ready, context.api), from, context);
  return signed.ok ? { raw: encodeTransaction(signed.value), from, transaction: signed.value } : failed(signed.error);
}

/** Signs a transaction of an account whose key the node holds. */
export function sign(
  unsigned: UnsignedTransaction,
  from: Uint8Array,
  { api, crypto }: MethodContext,
): Resolved<EthereumTransaction> {
  const signature = api.signDigest(from, signingHash(crypto, unsigned));
  return signature === undefined
    ? { ok: false, error: UNKNOWN_ACCOUNT }
    : { ok: true, value: { ...unsigned, ...signature } };
}
