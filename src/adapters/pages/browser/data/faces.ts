/** Clients of the consensus RPC and REST, through the port that serves the application. */
import { Refused } from './ethereum.js';
import { fetchNode } from './origin.js';

interface CometAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

/** Calls the consensus RPC by URI; quotes string arguments. Throws `Refused`. */
export async function comet<Value>(
  method: string,
  parameters: Readonly<Record<string, string | bigint | boolean>> = {},
): Promise<Value> {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? `"${value}"` : String(value))}`)
    .join('&');
  const response = await fetchNode(`/_page/comet/${method}${query === '' ? '' : `?${query}`}`);
  if (statusOf(response) === 404) throw new Refused('the consensus RPC of this node is not open', 404);
  const { result, error } = (await response.json()) as CometAnswer;
  if (error !== undefined) throw new Refused(error.data ?? error.message, error.code);
  return result as Value;
}

/** Calls a REST route, at a height or at the head. Throws `Refused` for an error. */
export async function rest<Value>(path: string, at?: bigint): Promise<Value> {
  const response = await fetchNode(`/_page/rest${path}`, {
    headers: at === undefined ? {} : { 'x-cosmos-block-height': at.toString() },
  });
  const status = statusOf(response);
  // the gateway redirects names with consecutive slashes, and has no route for them
  if (status >= 300 && status < 400) throw new Refused('the gateway has no route for this name', NO_ROUTE);
  const answer = (await response.json()) as { readonly code?: number; readonly message?: string };
  if (status >= 400) throw new Refused(answer.message ?? `status ${status}`, answer.code ?? status);
  return answer as Value;
}

/** The HTTP status of the face behind the application's port (`src/adapters/pages/pages.ts`). */
export function statusOf(response: Response): number {
  return Number(response.headers.get('x-status') ?? response.status);
}

/** gRPC code Unimplemented: the chain lacks the route or module. */
const NO_ROUTE = 12;
/** gRPC codes for missing things: NotFound (5), and Unimplemented. */
const ABSENT: ReadonlySet<number> = new Set([5, NO_ROUTE]);

/** Like `rest`; null if the thing, route or module does not exist. */
export async function restOrNull<Value>(path: string, at?: bigint): Promise<Value | null> {
  try {
    return await rest<Value>(path, at);
  } catch (error) {
    // pruned and future states are errors
    if (error instanceof Refused && ABSENT.has(error.code)) return null;
    throw error;
  }
}

/** An ABCI event with its attributes. */
export interface AbciEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string | null }[];
}

export interface Coin {
  readonly denom: string;
  readonly amount: string;
}

/** A transaction of the REST gateway (`cosmos.tx.v1beta1.GetTxResponse`). */
export interface CosmosTx {
  readonly tx: {
    readonly body: {
      readonly messages: readonly Message[];
      readonly memo: string;
      readonly timeout_height: string;
    };
    readonly auth_info: {
      readonly signer_infos: readonly { readonly sequence: string; readonly public_key: unknown }[];
      readonly fee: {
        readonly amount: readonly Coin[];
        readonly gas_limit: string;
        readonly payer: string;
        readonly granter: string;
      };
    };
  };
  readonly tx_response: {
    readonly height: string;
    readonly txhash: string;
    readonly code: number;
    readonly codespace: string;
    readonly raw_log: string;
    readonly gas_wanted: string;
    readonly gas_used: string;
    readonly timestamp: string;
    readonly events: readonly AbciEvent[];
  };
}

export type Message = Readonly<Record<string, unknown>> & { readonly '@type': string };

/** The first value of an attribute in events of a type; undefined if there is none. */
export function attributeOf(events: readonly AbciEvent[], type: string, key: string): string | undefined {
  for (const event of events)
    if (event.type === type)
      for (const attribute of event.attributes)
        if (attribute.key === key && attribute.value !== null) return attribute.value;
  return undefined;
}
