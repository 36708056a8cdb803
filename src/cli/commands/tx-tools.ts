import { printableJson } from '../../core/text/printable.js';
import { base64, hex } from '@scure/base';
import { create } from '@bufbuild/protobuf';
import { AuthInfoSchema, TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { keyOf, nodePrefix } from '../values/names.js';
import { print } from '../table/output.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';
import { broadcast as broadcastBytes } from '../tx/broadcast.js';
import { contextOf, signingContext } from '../tx/account.js';
import { readText, readTransaction } from '../tx/read.js';
import { simulate as run } from '../tx/simulate.js';
import { decodeTransaction, encodeTransaction, parseTransaction, transactionJson } from '../values/tx-json.js';
import { SimulateResponseSchema } from '../../core/proto/cosmos/tx/v1beta1/service_pb.js';

/** `tx encode FILE`: prints the base64 of an encoded transaction. */
const encode: CommandBody = async (context, [file = '']) => {
  context.ports.stdout(`${base64.encode(encodeTransaction(await readTransaction(context, file)))}\n`);
};

/** `tx decode TEXT [-x]`: decodes a transaction from base64, or from hex with `-x`. */
const decode: CommandBody = ({ ports }, [text = ''], flags) => {
  ports.stdout(`${printableJson(transactionJson(decodeTransaction(bytesOf(text, flags.is('hex')))))}\n`);
};

/** `tx broadcast FILE`: sends one signed transaction, or several, one per line. */
const broadcast: CommandBody = async (context, [file = ''], flags) => {
  const text = await readText(context, file);
  // The file has either one JSON document over several lines, or one per line.
  const documents = text.trim().includes('\n{') ? text.split('\n').filter((line) => line.trim() !== '') : [text];
  const transactions = documents.map((document) => parseTransaction(document, file));
  for (const tx of transactions)
    await broadcastBytes(context, encodeTransaction(tx), flags.text('broadcast-mode') ?? 'sync');
};

/** `tx simulate FILE --from KEY`: prints the simulated result of a transaction. */
const simulate: CommandBody = async (context, [file = ''], flags) => {
  const tx = await readTransaction(context, file);
  const entry = await keyOf(context, flags.needed('from'), await nodePrefix(context));
  const { sequence } = contextOf(tx, await signingContext(context, entry.bech32, flags));
  const unsigned = create(TxSchema, {
    ...tx,
    authInfo: create(AuthInfoSchema, { ...tx.authInfo, signerInfos: [] }),
    signatures: [],
  });
  print(
    { ...context, indent: false },
    protoJson(SimulateResponseSchema, await run(context, unsigned, [{ key: entry.key, sequence }])),
  );
};

function bytesOf(text: string, isHex: boolean): Uint8Array {
  try {
    return isHex ? hex.decode(text.replace(/^0x/i, '').toLowerCase()) : base64.decode(text);
  } catch {
    throw new CommandError(
      EXIT.usage,
      isHex ? 'the argument is not hexadecimal' : 'the argument is not base64; --hex reads hexadecimal',
    );
  }
}

export const commands: readonly CommandRow[] = [
  send('encode <file>', 'base64 of a transaction', encode, { output: 'text' }),
  send('decode <text>', 'the transaction of base64', decode, {
    output: 'text',
    options: [{ flag: '-x, --hex', doc: 'of hexadecimal' }],
  }),
  send('broadcast <file>', 'send a signed transaction; - reads standard input', broadcast),
  send('simulate <file>', 'simulate a transaction', simulate, {
    output: 'text',
  }),
];
