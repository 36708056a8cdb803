/** Accounts, code and storage at a block; the block may be left out (latest). */
import { hexData, hexQuantity } from '../../../core/ethereum/hex.js';
import type { Outcome } from '../../../core/node-api.js';
import type { Height } from '../../../core/primitives.js';
import { rpcErrorOf } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, quoted } from '../method.js';
import { type BlockRef, LATEST, blockRef } from '../params/block-ref.js';
import { address, slot } from '../params/hex.js';
import { withDefault } from '../params/param.js';
import { resolveState } from '../resolve.js';

const atBlock = withDefault(blockRef, LATEST);

export const stateMethods: readonly Method[] = [
  method('eth_getBalance', [address, atBlock], ([account, ref], context) =>
    read(context, ref, (height) => context.api.account(account, height), ({ balance }) => hexQuantity(balance)),
  ),
  method('eth_getTransactionCount', [address, atBlock], ([account, ref], context) =>
    ref.kind === 'tag' && ref.tag === 'pending'
      ? quoted(hexQuantity(context.api.pendingNonce(account)))
      : read(context, ref, (height) => context.api.account(account, height), ({ nonce }) => hexQuantity(nonce)),
  ),
  method('eth_getCode', [address, atBlock], ([account, ref], context) => read(context, ref, (height) => context.api.code(account, height), hexData)),
  method('eth_getStorageAt', [address, slot, atBlock], ([account, key, ref], context) =>
    read(context, ref, (height) => context.api.storage(account, key, height), hexData),
  ),
];

function read<Value>(context: MethodContext, ref: BlockRef, ask: (height: Height) => Outcome<Value>, show: (value: Value) => string): Answer {
  const height = resolveState(context.api, ref);
  if (!height.ok) return failed(height.error);
  const outcome = ask(height.value);
  return outcome.ok ? quoted(show(outcome.value)) : failed(rpcErrorOf(outcome.error));
}
