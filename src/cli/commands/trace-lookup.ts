import { base64 } from '@scure/base';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { hashBytes } from './query-chain.js';

/** Calls a method of the Ethereum JSON-RPC. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The text of a trace of an unknown transaction (go-ethereum v1.17 `eth/tracers/api.go`). */
const NOT_FOUND = 'transaction not found';

/**
 * The trace of a transaction by its hash; the node finds an Ethereum transaction by its consensus hash, too. Throws
 * CommandError where there is none, and says so of a Cosmos transaction.
 */
export async function tracedBy(ask: Ask, { rpc }: CommandContext, digits: string): Promise<unknown> {
  try {
    return await ask('debug_traceTransaction', [
      `0x${digits.toLowerCase()}`,
      { tracer: 'callTracer', tracerConfig: { withLog: true } },
    ]);
  } catch (error) {
    if (!(error instanceof CommandError) || error.message !== NOT_FOUND) throw error;
    const found = await rpc
      .call('tx', { hash: base64.encode(hashBytes(digits, 'transaction hash')), prove: false })
      .catch(() => undefined);
    throw new CommandError(
      EXIT.notFound,
      found === undefined
        ? `${NOT_FOUND}: ${digits}`
        : `${digits} is a Cosmos transaction, in which no contract was called: chronicled query tx ${digits} shows it`,
    );
  }
}
