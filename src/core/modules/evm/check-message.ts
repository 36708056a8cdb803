/** geth's checks of a message before execution, with its texts (v1.17 `core/state_transition.go`). */
import { MAX_UINT256 } from '../../bigint.js';
import { gasShortage, MAX_INITCODE_SIZE } from '../../ethereum/gas-rules.js';
import type { SimulationRefusal } from '../../ethereum/simulation.js';
import type { EvmBlobs } from '../../evm/transaction.js';
import { blobCost, refuseBlobs } from './blobs.js';

export interface CheckedMessage {
  /** Returns the sender's name for error texts. */
  readonly name: () => string;
  readonly to: Uint8Array | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas: bigint;
  readonly feeCap: bigint;
  readonly tipCap: bigint;
  readonly accessList: readonly { readonly storageKeys: readonly unknown[] }[];
  readonly authorizations?: readonly unknown[] | undefined;
  readonly blobs?: EvmBlobs | undefined;
  readonly balance: bigint;
  readonly baseFee: () => bigint;
  /** Blob base fee in wei; called only when there are blobs. */
  readonly blobBaseFee?: () => bigint;
  /** True when a message without a price may pay less than the base fees. */
  readonly mayBeFree: boolean;
}

export interface MessageRefusal {
  readonly reason: SimulationRefusal;
  readonly text: string;
}

/** First rule that the message violates; undefined when all hold. */
export function refuseMessage(message: CheckedMessage): MessageRefusal | undefined {
  const { name, to, data, value, gas, feeCap, tipCap, accessList, balance } = message;
  if (!message.mayBeFree || feeCap > 0n || tipCap > 0n) {
    const baseFee = message.baseFee();
    if (feeCap < tipCap)
      return {
        reason: 'invalid-params',
        text: `max priority fee per gas higher than max fee per gas: address ${name()}, maxPriorityFeePerGas: ${tipCap}, maxFeePerGas: ${feeCap}`,
      };
    if (feeCap < baseFee)
      return {
        reason: 'base-fee-too-low',
        text: `max fee per gas less than block base fee: address ${name()}, maxFeePerGas: ${feeCap}, baseFee: ${baseFee}`,
      };
  }
  const { blobs } = message;
  const blobFault = blobs && refuseBlobs(message, blobs);
  if (blobFault !== undefined) return { reason: 'internal', text: blobFault };
  if (message.authorizations !== undefined && to === undefined)
    return {
      reason: 'internal',
      text: `EIP-7702 transaction cannot be used to create contract (sender ${name()})`,
    };
  if (message.authorizations?.length === 0)
    return { reason: 'internal', text: `EIP-7702 transaction with empty auth list (sender ${name()})` };
  const cost = gas * feeCap + value + blobCost(blobs);
  if (balance < cost || cost > MAX_UINT256)
    return {
      reason: 'insufficient-funds',
      text: `insufficient funds for gas * price + value: address ${name()} have ${balance} want ${cost}`,
    };
  const { authorizations = [] } = message;
  const shortage = gasShortage({ to, data, accessList, authorizations }, gas);
  if (shortage !== undefined)
    return { reason: 'intrinsic-gas', text: `${shortage.text}: have ${gas}, want ${shortage.needed}` };
  if (to === undefined && data.length > MAX_INITCODE_SIZE)
    return {
      reason: 'initcode-size',
      text: `max initcode size exceeded: code size ${data.length} limit ${MAX_INITCODE_SIZE}`,
    };
  return undefined;
}
