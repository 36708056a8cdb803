import type { Any } from '@bufbuild/protobuf/wkt';
import { hex, upperHex } from '../bytes/hex.js';
import type { ExecTxResult } from '../proto/tendermint/abci/types_pb.js';
import { decodeBech32 } from '../sdk/codec/address.js';
import { decodeTx } from '../sdk/codec/decode-tx.js';
import { SdkError } from '../sdk/module/sdk-error.js';
import { oneLine, type Line } from './line.js';
import type { Names } from './names.js';
import { settingText } from './setting.js';

/** Maximum number of a transaction's messages whose settings the line describes; dev commands have one each. */
const SETTINGS_SHOWN = 4;

/**
 * Line of a Cosmos transaction: message types, the settings of dev commands, and the first signer's name. `hash` is
 * the CometBFT hash; amounts are in the display unit of `baseDenom`.
 */
export function cosmosLine(
  tx: Uint8Array,
  hash: Uint8Array,
  result: ExecTxResult,
  names: Names,
  baseDenom: string,
): Line {
  const messages = messagesOf(tx);
  const types = messages.map(({ typeUrl }) => oneLine(typeUrl));
  const settings = messages.slice(0, SETTINGS_SHOWN).flatMap((message) => settingText(message, names, baseDenom) ?? []);
  const said = settings.length === 0 ? types.map((url) => url.slice(url.lastIndexOf('.') + 1)) : settings;
  const signer = signerOf(result);
  const named = names.accounts.get(hex(decodeBech32(signer)?.bytes ?? new Uint8Array(0))) ?? signer;
  const failure = result.code === 0 ? undefined : oneLine(`failed: ${result.codespace} ${result.code}: ${result.log}`);
  return {
    severity: 'info',
    message: 'transaction',
    parts: [
      `  tx ${upperHex(hash)}  ${named === '' ? '' : `${named} `}`,
      ['name', oneLine(said.join(', ')) || 'no message'],
      '  ',
      failure === undefined ? ['good', 'ok'] : ['bad', failure],
      ['faint', `  ${result.gasUsed} of ${result.gasWanted} gas`],
    ],
    fields: {
      kind: 'cosmos',
      hash: upperHex(hash),
      messages: types,
      ...(settings.length > 0 && { settings: settings.map(oneLine) }),
      signer,
      gas_used: result.gasUsed.toString(),
      gas_wanted: result.gasWanted.toString(),
      code: result.code,
      ...(failure !== undefined && { codespace: result.codespace, reason: oneLine(result.log) }),
    },
  };
}

function messagesOf(tx: Uint8Array): readonly Any[] {
  try {
    return decodeTx(tx).body.messages;
  } catch (error) {
    // A block may contain a transaction that does not decode; its result says so.
    if (error instanceof SdkError) return [];
    throw error;
  }
}

/**
 * First signer, from the event of its sequence (cosmos-sdk v0.53 `x/auth/ante/sigverify.go`). An unordered
 * transaction has no such event; its fee payer is used.
 */
function signerOf({ events }: ExecTxResult): string {
  const of = (name: string): string | undefined =>
    events
      .filter(({ type }) => type === 'tx')
      .flatMap(({ attributes }) => attributes.filter(({ key }) => key === name))
      .at(0)?.value;
  const sequence = of('acc_seq');
  return sequence === undefined ? (of('fee_payer') ?? '') : sequence.slice(0, sequence.lastIndexOf('/'));
}
