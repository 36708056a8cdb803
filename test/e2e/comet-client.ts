/** The consensus RPC as curl uses it. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

/** The whole answer of a URI route such as `/block?height=5`. */
export async function getJson(base: string, route: string): Promise<unknown> {
  const response = await fetch(`${base}${route}`);
  return response.json();
}

/** Result of a JSON-RPC call; throws when the answer is an error. */
export async function call<Result>(
  base: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Result> {
  const answer = await post(base, method, params);
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result as Result;
}

/** Error of a JSON-RPC call; throws when it succeeds. */
export async function callError(
  base: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<RpcError> {
  const answer = await post(base, method, params);
  if (answer.error === undefined) throw new Error(`${method} succeeded: ${JSON.stringify(answer.result)}`);
  return answer.error;
}

async function post(
  base: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly result?: unknown; readonly error?: RpcError }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(base, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await response.json()) as { readonly result?: unknown; readonly error?: RpcError };
}

export interface Status {
  readonly sync_info: {
    readonly latest_block_height: string;
    readonly latest_app_hash: string;
    readonly latest_block_hash: string;
  };
}

export async function latestHeight(base: string): Promise<number> {
  return Number((await call<Status>(base, 'status')).sync_info.latest_block_height);
}
