import { reflect } from '@bufbuild/protobuf/reflect';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Tx } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { signerTexts } from '../../core/sdk/signing/signer-texts.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { decodeAny } from './signatures.js';

/**
 * The required signers of a transaction, in order: the signer fields of its messages (`cosmos.msg.v1.signer`), then the
 * fee payer.
 */
export function signersOf({ body, authInfo }: Pick<Tx, 'body' | 'authInfo'>): readonly string[] {
  const named = (body?.messages ?? []).flatMap(signersOfMessage);
  const payer = authInfo?.fee?.payer ?? '';
  return [...new Set([...named, ...(payer === '' ? [] : [payer])])];
}

/** The required signers of one message. */
export function signersOfMessage(any: Any): readonly string[] {
  const known = decodeAny(any);
  if (known === undefined) throw new CommandError(EXIT.usage, `unable to resolve type URL ${any.typeUrl}`);
  return signerTexts(reflect(known.schema, known.message)).flatMap(({ text }) => text ?? []);
}
