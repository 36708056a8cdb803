import type { Contract } from '../abi/contract.js';
import { bytesText, decodedText } from '../abi/text.js';
import { hexData } from '../bytes/hex.js';
import type { EthereumBlockTransaction } from '../ethereum/block-view.js';
import { revertReason } from '../ethereum/revert-reason.js';
import { checksumAddress } from '../keys/address.js';
import { amountText } from './amount.js';
import { oneLine, type Line, type Part } from './line.js';
import { addressText, type Names } from './names.js';

/** Line of an Ethereum transaction in a block. Amounts are in the display unit of `baseDenom`. */
export function ethereumLine(view: EthereumBlockTransaction, names: Names, baseDenom: string): Line {
  const { hash, from, transaction, receipt } = view;
  const { to, value, type } = transaction;
  const { gasUsed, contractAddress, failure } = receipt;
  const contract = to === undefined ? names.interfaces.created(transaction.data) : names.contractAt(to);
  const method = to === undefined ? undefined : methodText(transaction.data, contract, names);
  const target = targetOf(view, contract, method, names);
  const reason = failure && failureText(failure, contract, names);
  const parts: readonly Part[] = [
    `  tx ${hexData(hash)}  ${addressText(names, from)} ${to === undefined ? 'creates' : '→'} `,
    ['name', target],
    ...(value === 0n ? [] : [`  ${amountText(value, baseDenom)}`]),
    '  ',
    reason === undefined ? ['good', 'ok'] : ['bad', reason],
    ['faint', `  ${gasUsed} gas`],
  ];
  return {
    severity: 'info',
    message: 'transaction',
    parts,
    fields: {
      kind: 'ethereum',
      hash: hexData(hash),
      type,
      from: checksumAddress(names.crypto, from),
      to: to === undefined ? null : checksumAddress(names.crypto, to),
      ...(contractAddress !== undefined && { created: checksumAddress(names.crypto, contractAddress) }),
      ...(contract !== undefined && { contract: contract.name }),
      ...(method !== undefined && { method }),
      value: value.toString(),
      gas_used: gasUsed.toString(),
      status: receipt.status,
      ...(reason !== undefined && { reason }),
    },
  };
}

function targetOf(
  { transaction: { to, data }, receipt: { contractAddress } }: EthereumBlockTransaction,
  contract: Contract | undefined,
  method: string | undefined,
  names: Names,
): string {
  if (to !== undefined) return `${addressText(names, to)}${method === undefined ? '' : `.${method}`}`;
  const address = contractAddress === undefined ? '' : ` at ${checksumAddress(names.crypto, contractAddress)}`;
  return `${contract?.name ?? `a contract (${data.length} bytes)`}${address}`;
}

/** Method of a call with arguments, or the first data bytes when it is unknown; undefined without data. */
export function methodText(data: Uint8Array, contract: Contract | undefined, names: Names): string | undefined {
  if (data.length === 0) return undefined;
  const call = names.interfaces.call(data, contract);
  return call === undefined
    ? bytesText(data.subarray(0, 4))
    : decodedText(call, (address) => addressText(names, address));
}

/** Formats a failure as `reverted: NotOwner(dev1)`, or its text when it is not a revert. */
export function failureText(
  failure: { readonly message: string; readonly data: Uint8Array },
  contract: Contract | undefined,
  names: Names,
): string {
  const { message, data } = failure;
  if (!message.startsWith('execution reverted')) return oneLine(`failed: ${message}`);
  const reason = revertReason(data);
  if (reason !== undefined && reason !== '') return oneLine(`reverted: ${reason}`);
  if (data.length === 0) return 'reverted without a reason';
  const error = names.interfaces.error(data, contract);
  return `reverted: ${error === undefined ? bytesText(data) : decodedText(error, (address) => addressText(names, address))}`;
}
