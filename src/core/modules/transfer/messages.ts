/** Messages of transfers (ibc-go v10 `modules/apps/transfer/keeper/msg_server.go`, `types/msgs.go`). */
import { create, toBinary } from '@bufbuild/protobuf';
import { utf8 } from '../../bytes/bytes.js';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ParamsSchema } from '../../proto/ibc/applications/transfer/v1/transfer_pb.js';
import * as pb from '../../proto/ibc/applications/transfer/v1/tx_pb.js';
import { isValidDenom, parseAmount } from '../../sdk/coins/coins.js';
import { isBlank } from '../../sdk/go/go-text.js';
import { message } from '../../sdk/module/module.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { ibcErrors } from '../ibc/errors.js';
import { validateIdentifier } from '../ibc/identifiers.js';
import { requireIbcAuthority } from '../ibc/signers.js';
import { transferErrors } from './errors.js';
import { hashProblem } from './hash.js';
import { transferRules } from './rules.js';
import { sendTransfer } from './send.js';
import { PARAMS_KEY, STORE } from './store.js';

/** Maximum bytes of a receiver. */
const MAX_RECEIVER = 2048;
const MAX_MEMO = 32_768;

/** True for a positive amount of a valid denom. */
function isSendable({ denom, amount }: Coin): boolean {
  const value = parseAmount(amount);
  if (!isValidDenom(denom) || value === undefined || value === 0n) return false;
  if (denom === 'ibc') return false;
  const hash = /^ibc\/(.*)$/.exec(denom)?.[1];
  return hash === undefined || (hash !== '' && hashProblem(hash) === undefined);
}

/** Throws `SdkError` for a transfer with an invalid field. */
export function validateTransfer({ sourcePort, sourceChannel, token, sender, receiver, memo }: pb.MsgTransfer): void {
  validateIdentifier('port', sourcePort, `invalid source port ID ${sourcePort}`);
  validateIdentifier('channel', sourceChannel, `invalid source channel ID ${sourceChannel}`);
  if (token === undefined || !isSendable(token))
    throw new SdkError(ibcErrors.invalidCoins, `${token?.amount ?? '<nil>'}${token?.denom ?? ''}`);
  if (isBlank(sender)) throw new SdkError(ibcErrors.invalidAddress, 'missing sender address');
  if (isBlank(receiver)) throw new SdkError(ibcErrors.invalidAddress, 'missing recipient address');
  if (utf8(receiver).length > MAX_RECEIVER)
    throw new SdkError(ibcErrors.invalidAddress, `recipient address must not exceed ${MAX_RECEIVER} bytes`);
  if (utf8(memo).length > MAX_MEMO)
    throw new SdkError(transferErrors.invalidMemo, `memo must not exceed ${MAX_MEMO} bytes`);
}

const transfer = message(pb.Msg, 'transfer', {
  validate: validateTransfer,
  handle(context, request) {
    transferRules.of(context).convertMissingCoins(context, request);
    return { sequence: sendTransfer(context, request) };
  },
});

const updateParams = message(pb.Msg, 'updateParams', {
  validate({ signer }) {
    if (isBlank(signer)) throw new SdkError(ibcErrors.invalidAddress, 'missing sender address');
  },
  handle(context, { signer, params }) {
    requireIbcAuthority(context, signer);
    context.store.set(STORE, PARAMS_KEY, toBinary(ParamsSchema, params ?? create(ParamsSchema)));
  },
});

export const messages = [transfer, updateParams];
