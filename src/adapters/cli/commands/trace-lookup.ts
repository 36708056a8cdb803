import { base64 } from '@scure/base';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { asObject, type JsonObject } from '../rpc-client.js';
import { hashBytes } from './query-chain.js';

/** Calls a method of the Ethereum JSON-RPC. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The text of a trace of an unknown transaction (go-ethereum v1.17 `eth/tracers/api.go`). */
const NOT_FOUND = 'transaction not found';

/** The trace of a transaction by its hash, or by that of the Cosmos transaction which it is in. */
export async function tracedBy(ask: Ask, { rpc }: CommandContext, digits: string): Promise<unknown> {
  const traced = (hash: string): Promise<unknown> =>
    ask('debug_traceTransaction', [hash, { tracer: 'callTracer', tracerConfig: { withLog: true } }]);
  try {
    return await traced(`0x${digits.toLowerCase()}`);
  } catch (error) {
    if (!(error instanceof CommandError) || error.message !== NOT_FOUND) throw error;
    const found = await rpc
      .call('tx', { hash: base64.encode(hashBytes(digits, 'transaction hash')), prove: false })
      .catch(() => undefined);
    if (found === undefined) throw new CommandError(EXIT.notFound, `${NOT_FOUND}: ${digits}`);
    const inner = ethereumHashIn(found);
    if (inner !== undefined) return traced(inner);
    throw new CommandError(
      EXIT.notFound,
      `${digits} is a Cosmos transaction, in which no contract was called: chronicled query tx ${digits} shows it`,
    );
  }
}

/** The hash of the Ethereum transaction that a consensus transaction holds, from its events. */
function ethereumHashIn(found: JsonObject): string | undefined {
  const { events } = asObject(found['tx_result']);
  const attributes = (Array.isArray(events) ? events : []).flatMap((event: unknown): readonly unknown[] => {
    const { type, attributes: all } = asObject(event);
    return type === 'ethereum_tx' && Array.isArray(all) ? all : [];
  });
  const hash = attributes.map((one) => asObject(one)).find(({ key }) => key === 'ethereumTxHash')?.['value'];
  return typeof hash === 'string' ? hash : undefined;
}
