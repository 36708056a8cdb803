/** Frames of `eth_subscription` (ethereum-json-rpc.md 3.1); `params.cursor` beside `params.result` is ours (design section 7). */

/** What precedes the body: all that differs between the subscribers of one event. */
export function prefixOf(id: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}`;
}

/** What follows the prefix: encoded once for all subscribers. `cursor` is absent where nothing can be resumed from. */
export function bodyOf(resultJson: string, cursor: string | undefined): string {
  return `","result":${resultJson}${cursor === undefined ? '' : `,"cursor":"${cursor}"`}}}`;
}
