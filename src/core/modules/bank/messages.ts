import { create } from '@bufbuild/protobuf';
import { abciEvent } from '../../sdk/module/abci-event.js';
import { requireAddress } from '../../sdk/codec/address.js';
import { requireBech32 } from '../../sdk/codec/bech32-address.js';
import { formatCoins, isValidDenom, sumCoins } from '../../sdk/coins/coins.js';
import { message } from '../../sdk/module/module.js';
import { requirePositiveCoins } from '../../sdk/coins/require-coins.js';
import { invalidRequest, plainError, SdkError } from '../../sdk/module/sdk-error.js';
import { ParamsSchema } from '../../proto/cosmos/bank/v1beta1/bank_pb.js';
import { Msg } from '../../proto/cosmos/bank/v1beta1/tx_pb.js';
import { ensureAccount } from '../auth/accounts.js';
import { requireGovernance } from '../authority.js';
import { setParams, setSendEnabled } from './balances.js';
import { errors } from './errors.js';
import { requireReceiver, requireSendEnabled } from './send-rules.js';
import { addCoins, sendCoins, subtractCoins, emitTransfer } from './transfer.js';

const send = message(Msg, 'send', (context, { fromAddress, toAddress, amount }) => {
  const from = requireAddress(context.chain.bech32Prefix, fromAddress, 'invalid from address');
  const to = requireAddress(context.chain.bech32Prefix, toAddress, 'invalid to address');
  requirePositiveCoins(amount);
  requireSendEnabled(context, amount);
  requireReceiver(context, to, toAddress);
  sendCoins(context, from, to, amount);
});

/**
 * One sender, several receivers. Like the SDK, emits the sender's message event and creates receiver accounts before
 * it moves coins (v0.53 `x/bank/keeper/send.go` InputOutputCoins).
 */
const multiSend = message(Msg, 'multiSend', {
  signers: ({ inputs }) => inputs.map(({ address }) => address),
  handle(context, { inputs, outputs }) {
    const [input] = inputs;
    if (input === undefined) throw new SdkError(errors.noInputs);
    if (inputs.length > 1) throw new SdkError(errors.multipleSenders);
    if (outputs.length === 0) throw new SdkError(errors.noOutputs);
    const prefix = context.chain.bech32Prefix;
    const from = requireBech32(prefix, input.address, 'invalid input address');
    requirePositiveCoins(input.coins);
    const receivers = outputs.map(({ address, coins }) => {
      const to = requireBech32(prefix, address, 'invalid output address');
      requirePositiveCoins(coins);
      return { to, address, coins };
    });
    if (formatCoins(sumCoins(outputs.flatMap(({ coins }) => coins))) !== formatCoins(input.coins))
      throw new SdkError(errors.inputOutputMismatch);
    requireSendEnabled(context, input.coins);
    for (const { to, address } of receivers) requireReceiver(context, to, address);

    context.events.push(abciEvent('message', [['sender', input.address]]));
    for (const { to } of receivers) ensureAccount(context, to);
    subtractCoins(context, from, input.coins);
    for (const { to, address, coins } of receivers) {
      addCoins(context, to, coins);
      // Both addresses as the message spells them.
      emitTransfer(context, address, input.address, formatCoins(coins));
    }
  },
});

const updateParams = message(Msg, 'updateParams', (context, { authority, params }) => {
  requireGovernance(context, authority);
  if ((params?.sendEnabled.length ?? 0) > 0) throw plainError('use of send_enabled in params is no longer supported');
  // Absent parameters are Go's zero values.
  setParams(context, params ?? create(ParamsSchema));
});

const setEnabled = message(Msg, 'setSendEnabled', (context, request) => {
  requireGovernance(context, request.authority);
  const denoms = request.sendEnabled.map(({ denom }) => denom);
  for (const [index, denom] of denoms.entries()) {
    if (denoms.indexOf(denom) !== index) throw invalidRequest(`duplicate denom entries found for "${denom}"`);
    if (!isValidDenom(denom)) throw invalidRequest(`invalid SendEnabled denom "${denom}": invalid denom: ${denom}`);
  }
  for (const denom of request.useDefaultFor)
    if (!isValidDenom(denom)) throw invalidRequest(`invalid UseDefaultFor denom "${denom}": invalid denom: ${denom}`);
  for (const { denom, enabled } of request.sendEnabled) setSendEnabled(context, denom, enabled);
  for (const denom of request.useDefaultFor) setSendEnabled(context, denom, undefined);
});

export const messages = [send, multiSend, updateParams, setEnabled];
