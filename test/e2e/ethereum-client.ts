/** Result of an Ethereum JSON-RPC call; throws when the answer is an error. */
export async function callEthereum<Result>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = (await response.json()) as {
    readonly result?: Result;
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result as Result;
}
