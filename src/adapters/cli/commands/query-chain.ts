import { base64 } from '@scure/base';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { render } from '../output.js';
import { asObject, textOf } from '../rpc-client.js';
import { txResponse } from '../tx-response.js';
import { wholeNumber } from '../whole-number.js';

/** `query tx HASH`: a transaction with its result, decoded. */
export async function queryTx({ rpc, ports, output }: CommandContext, hash: string): Promise<void> {
  const bytes = hashBytes(hash, 'transaction hash');
  const found = await rpc.call('tx', { hash: base64.encode(bytes), prove: false });
  const height = textOf(found, 'height');
  const block = asObject((await rpc.call('block', { height }))['block']);
  const timestamp = textOf(asObject(block['header']), 'time');
  const { txJson } = await import('../tx-json.js');
  const tx = txJson(base64.decode(textOf(found, 'tx')));
  ports.stdout(render(txResponse({ ...asObject(found['tx_result']), hash: found['hash'] }, height, { tx, timestamp }), output));
}

/** `query block [HEIGHT|HASH]`: a block and its id as the consensus RPC tells them; the last one by default. */
export async function queryBlock({ rpc, ports, output }: CommandContext, which: string | undefined, type: string | undefined): Promise<void> {
  const byHash = type === 'hash' || (type === undefined && which !== undefined && /^(0x)?[0-9a-fA-F]{64}$/.test(which));
  if (byHash && which === undefined) throw new CommandError(EXIT.usage, '--type hash needs a hash');
  const found = byHash
    ? await rpc.call('block_by_hash', { hash: base64.encode(hashBytes(which ?? '', 'block hash')) })
    : await rpc.call('block', which === undefined ? {} : { height: wholeNumber(which, 'height').toString() });
  if (found['block'] === null) throw new CommandError(EXIT.notFound, `block not found with hash: ${which ?? ''}`);
  ports.stdout(render(found, output));
}

function hashBytes(text: string, what: string): Uint8Array {
  const digits = text.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw new CommandError(EXIT.usage, `invalid ${what} ${JSON.stringify(text)}: expected 64 hexadecimal digits`);
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
