/** Methods that send transactions (geth v1.17 `internal/ethapi/api.go`). The node holds keys in dev mode only. */
import { equal } from '../../../core/bytes/bytes.js';
import { hexData } from '../../../core/bytes/hex.js';
import { invariant, type Outcome } from '../../../core/errors.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { unsignedTransactionJson } from '../../../core/ethereum/json/transaction-json.js';
import { encodeTransaction, encodeUnsigned } from '../../../core/ethereum/transaction-codec.js';
import { signingHash } from '../../../core/ethereum/transaction-sender.js';
import type { UnsignedTransaction } from '../../../core/ethereum/unsigned.js';
import { rpcErrorOf, serverError } from '../errors.js';
import {
  type Answer,
  type Deferred,
  type Method,
  type MethodContext,
  failed,
  method,
  sending,
  ok,
  quoted,
} from '../method.js';
import { data, quantity } from '../params/hex.js';
import { optional } from '../params/param.js';
import { type SendingArguments, sendingArguments } from '../params/sending-arguments.js';
import type { Resolved } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';
import { PRICED_AUTHORIZATIONS, type Ready, fill, holdsKey, makeReady } from './fill.js';
import { password, sign } from './sign.js';

/**
 * Runs tasks one at a time, so that a nonce is used before the next one is read. A task waits for a running revert,
 * because until then nonces are those of the abandoned branch.
 */
export type SendQueue = <Value>(api: EthereumApi, work: () => Promise<Value>) => Promise<Value>;

/** Creates the queue that assigns nonces to sends one at a time. */
export function createSendQueue(): SendQueue {
  let last: Promise<unknown> = Promise.resolve();
  return ({ dev }, work) => {
    const run = () => (dev === undefined ? work() : dev.revertEnded().then(work));
    const mine = last.then(run);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Creates the methods that send transactions, signed by the client or by a key of the node. */
export function sendMethods(inTurn: SendQueue): readonly Method[] {
  const sendTransaction = async (args: SendingArguments, context: MethodContext): Promise<Answer | Deferred> => {
    const submitted = await submitArguments(args, context, inTurn);
    return submitted.ok ? answerOf(context.api, submitted) : failed(submitted.error);
  };
  return [
    sending(
      'eth_sendRawTransaction',
      'Sends a signed transaction; answers its hash',
      [data],
      schema.HASH,
      ([raw], { api }) => send(api, raw),
    ),
    sending(
      'eth_sendTransaction',
      'Signs and sends a transaction of an account of the node; answers its hash',
      [sendingArguments],
      schema.HASH,
      ([args], context) => sendTransaction(args, context),
    ),
    // the password is ignored
    sending(
      'personal_sendTransaction',
      'Signs and sends a transaction of an account of the node; answers its hash',
      [sendingArguments, optional(password)],
      schema.HASH,
      ([args], context) => sendTransaction(args, context),
    ),
    method(
      'eth_fillTransaction',
      'Fills in the missing fields of a transaction',
      [sendingArguments],
      result.FILLED_TRANSACTION,
      async ([args], context) => {
        const ready = await makeReady(args, context, true);
        if (!('gas' in ready)) return ready;
        const unsigned = fill(args, ready, context.api);
        const raw = encodeUnsigned(unsigned);
        const hash = context.crypto.keccak256(raw);
        return ok(`{"raw":"${hexData(raw)}","tx":${unsignedTransactionJson(unsigned, hash)}}`);
      },
    ),
    sending(
      'eth_resend',
      'Sends a waiting transaction again with another price or gas limit; answers its hash',
      [sendingArguments, optional(quantity), optional(quantity)],
      schema.HASH,
      async ([args, gasPrice, gasLimit], context) => {
        if (args.nonce === undefined) return failed(serverError('missing transaction nonce in transaction spec'));
        const ready = await makeReady(args, context);
        if (!('gas' in ready)) return ready;
        return inTurn(context.api, () => resend(args, { ...ready, gasPrice, gasLimit }, context));
      },
    ),
  ];
}

async function send(api: EthereumApi, raw: Uint8Array): Promise<Answer | Deferred> {
  return answerOf(api, await api.sendRawTransaction(raw));
}

/** The answer to a send. With instant mining it comes when the transaction's block is published. */
export function answerOf(api: EthereumApi, sent: Outcome<Uint8Array>): Answer | Deferred {
  if (!sent.ok) return failed(rpcErrorOf(sent.error));
  const hash = hexData(sent.value);
  const inBlock = api.inBlock(sent.value);
  if (inBlock === undefined) return quoted(hash);
  return {
    later: inBlock.then((waited) => (waited.ok ? quoted(hash) : failed({ ...rpcErrorOf(waited.error), data: hash }))),
  };
}

/** Fills, signs and submits a transaction of one of the node's accounts; resolves with its hash. */
export async function submitArguments(
  args: SendingArguments,
  context: MethodContext,
  inTurn: SendQueue,
): Promise<Resolved<Uint8Array>> {
  const ready = await makeReady(args, context);
  const { api } = context;
  if ('gas' in ready) return inTurn(api, () => submitFilled(fill(args, ready, api), ready.from, context));
  invariant(!ready.ok, 'arguments that are not ready are refused');
  return ready;
}

/** Submits a filled transaction of an account whose key the node holds, or that it impersonates. */
async function submitFilled(
  transaction: UnsignedTransaction,
  from: Uint8Array,
  context: MethodContext,
): Promise<Resolved<Uint8Array>> {
  const { api } = context;
  const signed = api.dev !== undefined && !holdsKey(api, from) ? undefined : sign(transaction, from, context);
  if (signed?.ok === false) return signed;
  const sent =
    signed === undefined
      ? await api.dev?.sendUnsigned(transaction, from)
      : await api.sendRawTransaction(encodeTransaction(signed.value), from);
  invariant(sent !== undefined, 'a node that signs nothing impersonates');
  return sent.ok ? sent : { ok: false, error: rpcErrorOf(sent.error) };
}

async function sendFilled(
  transaction: UnsignedTransaction,
  from: Uint8Array,
  context: MethodContext,
): Promise<Answer | Deferred> {
  const submitted = await submitFilled(transaction, from, context);
  return submitted.ok ? answerOf(context.api, submitted) : failed(submitted.error);
}

/** Replaces a pending transaction of one of the node's accounts with another price or gas limit (geth `Resend`). */
async function resend(
  args: SendingArguments,
  {
    gasPrice,
    gasLimit,
    ...ready
  }: Ready & { readonly gasPrice: bigint | undefined; readonly gasLimit: bigint | undefined },
  context: MethodContext,
): Promise<Answer | Deferred> {
  const { api, crypto } = context;
  const unsigned = fill(args, ready, api);
  const digest = signingHash(crypto, unsigned);
  const isWaiting = (['pending', 'queued'] as const)
    .flatMap((place) => api.pendingTransactions(place))
    .some((one) => equal(one.from, ready.from) && equal(signingHash(crypto, one.transaction), digest));
  if (!isWaiting)
    return failed(serverError(`transaction ${hexData(crypto.keccak256(encodeUnsigned(unsigned)))} not found`));
  const isPriced = gasPrice !== undefined && gasPrice > 0n;
  if (isPriced && args.authorizationList !== undefined) return failed(PRICED_AUTHORIZATIONS);
  const fees = isPriced ? { gasPrice } : ready.fees;
  const gas = gasLimit === undefined || gasLimit === 0n ? ready.gas : gasLimit;
  return sendFilled(fill(args, { ...ready, gas, fees }, api), ready.from, context);
}

/** Sends as `eth_sendTransaction` does, for dev commands. */
export async function sendArguments(args: SendingArguments, context: MethodContext): Promise<Outcome<undefined>> {
  const ready = await makeReady(args, context);
  const answer = 'gas' in ready ? await sendFilled(fill(args, ready, context.api), ready.from, context) : ready;
  return 'later' in answer || answer.ok
    ? { ok: true, value: undefined }
    : { ok: false, error: { code: 'tx-refused', message: answer.error.message } };
}
