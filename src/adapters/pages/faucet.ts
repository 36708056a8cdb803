/**
 * The faucet of dev mode: `POST /faucet` with `{"address": "0x..." or bech32}` sends coins from an account whose key
 * the node holds. It answers `{"hash", "amount", "from"}`, or `{"error"}`. The transport has already rejected foreign
 * origins; the required content type excludes plain HTML forms.
 */
import { hex } from '../../core/bytes/hex.js';
import { asObject, jsonOf } from '../../core/text/json-object.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import { plainText, RequestRate, type StreamingHttpHandler, type HttpResponse } from '../transport/index.js';

export interface FaucetOptions {
  /**
   * Addresses whose keys the node holds; the last one with a sufficient balance pays. Without any there is no faucet.
   */
  readonly accounts: () => readonly Uint8Array[];
  /** Balance of an account in the base denom. */
  readonly balanceOf: (address: Uint8Array) => bigint;
  /** Amount of one payment in the base denom. */
  readonly amount: bigint;
  /** Parses an address in any form, or returns why it is invalid. */
  readonly read: (address: string) => ReadAddress;
  /** Calls `eth_sendTransaction`; resolves with the hash or the error text. */
  readonly send: (transaction: Readonly<Record<string, string>>) => Promise<SendAnswer>;
  readonly timers: Timers;
}

export type ReadAddress =
  | { readonly ok: true; readonly address: Uint8Array }
  | { readonly ok: false; readonly reason: string };

export type SendAnswer =
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly message: string };

const PATH = '/faucet';
const NO_FAUCET = plainText(404, 'this node holds no funded account: only dev mode has a faucet\n');
const USAGE =
  'POST an address: curl -H "content-type: application/json" -d \'{"address":"0x..."}\' http://.../faucet\n';
const NOT_POSTED = plainText(405, USAGE);
const decoder = new TextDecoder();

/** Wraps a handler: answers faucet requests, and passes others to `next`. */
export function withFaucet(
  { accounts, balanceOf, amount, read, send, timers }: FaucetOptions,
  next: StreamingHttpHandler,
): StreamingHttpHandler {
  const rate = new RequestRate(timers, FIXED_LIMITS.faucetPerSecond, FIXED_LIMITS.faucetBurst);
  return (request) => {
    if (request.path !== PATH) return next(request);
    const payers = accounts();
    const last = payers.at(-1);
    if (last === undefined) return NO_FAUCET;
    if (request.method !== 'POST') return NOT_POSTED;
    if (request.headers.get('content-type')?.startsWith('application/json') !== true)
      return refusal(415, 'the content type must be application/json');
    // Check the size first, because parsing time grows with it.
    if (request.body.length > FIXED_LIMITS.faucetBodyBytes)
      return refusal(413, `limit faucetBodyBytes (${FIXED_LIMITS.faucetBodyBytes}) exceeded`);
    const requested = readRequest(decoder.decode(request.body));
    if (!requested.ok) return refusal(400, requested.message);
    // All clients share one rate limit, because loopback clients cannot be distinguished.
    if (!rate.take(PATH))
      return refusal(429, `limit faucetPerSecond (${FIXED_LIMITS.faucetPerSecond}) exceeded: try again in a second`);
    const receiver = read(requested.address);
    if (!receiver.ok) return refusal(400, `${JSON.stringify(requested.address)} is not an address: ${receiver.reason}`);
    // If no account has enough coins, the pool's error says so.
    const payer = payers.findLast((one) => balanceOf(one) > amount) ?? last;
    return give({ from: `0x${hex(payer)}`, to: `0x${hex(receiver.address)}`, value: `0x${amount.toString(16)}` }, send);
  };
}

async function give(
  transaction: { readonly from: string; readonly to: string; readonly value: string },
  send: FaucetOptions['send'],
): Promise<HttpResponse> {
  const sent = await send(transaction);
  if (!sent.ok) return refusal(400, sent.message);
  return json(200, { hash: sent.hash, amount: BigInt(transaction.value).toString(), from: transaction.from });
}

type RequestRead = { readonly ok: true; readonly address: string } | { readonly ok: false; readonly message: string };

const FORM = 'the body must be {"address": "0x..."} or {"address": "<bech32>"}';

/** Parses the body. Rejects unknown fields, because the faucet would ignore them. */
function readRequest(body: string): RequestRead {
  const value = asObject(jsonOf(body));
  if (value === undefined) return { ok: false, message: `${FORM}; this one is not a JSON object` };
  const { address, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined)
    return { ok: false, message: `${FORM}; the faucet does not know the field ${JSON.stringify(other)}` };
  if (address === undefined) return { ok: false, message: `${FORM}; this one has no address` };
  return typeof address === 'string'
    ? { ok: true, address }
    : { ok: false, message: `${FORM}; the address must be a string` };
}

function refusal(status: number, error: string): HttpResponse {
  return json(status, { error });
}

function json(status: number, value: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
    body: `${JSON.stringify(value)}\n`,
  };
}
