import type { EthereumCall } from '../ethereum/call.js';
import { hexData } from '../bytes/hex.js';
import { checksumAddress } from '../keys/address.js';
import { failureText, methodText } from './ethereum-line.js';
import type { Line } from './line.js';
import { addressText, type Names } from './names.js';

/** Line of an `eth_call` or estimate, which is in no block. `reverted`: its revert data, if it failed. */
export function callLine(rpc: string, call: EthereumCall, reverted: Uint8Array | undefined, names: Names): Line {
  const { from, to, data = new Uint8Array(0) } = call;
  const contract = to === undefined ? names.interfaces.created(data) : names.contractAt(to);
  const method = to === undefined ? undefined : methodText(data, contract, names);
  const target = to === undefined ? (contract?.name ?? 'a new contract') : addressText(names, to);
  const reason = reverted && failureText({ message: 'execution reverted', data: reverted }, contract, names);
  return {
    severity: 'info',
    message: 'call',
    parts: [
      `${rpc}  ${from === undefined ? '' : `${addressText(names, from)} `}→ `,
      ['name', `${target}${method === undefined ? '' : `.${method}`}`],
      ...(reason === undefined ? [] : ['  ', ['bad', reason] as const]),
    ],
    fields: {
      rpc,
      from: from === undefined ? null : checksumAddress(names.crypto, from),
      to: to === undefined ? null : checksumAddress(names.crypto, to),
      ...(contract !== undefined && { contract: contract.name }),
      ...(method !== undefined && { method }),
      ...(reason !== undefined && { reason, data: hexData(reverted ?? data) }),
    },
  };
}
