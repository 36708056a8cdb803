/** Builds the vmTraces (`vm-trace.ts`) of all executions of one request. */
import { fromHex, hexData } from '../../../core/bytes/hex.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { ETHEREUM_LIMITS } from '../../../core/limits/limits.js';
import type { Height } from '../../../core/primitives.js';
import { invalidParams } from '../errors.js';
import type { Resolved } from '../resolve.js';
import { vmTrace, type VmTrace } from './vm-trace.js';

/** A transaction or a call. It runs the code of `to`, or `data` if it creates a contract. */
export interface Executed {
  readonly to?: Uint8Array | undefined;
  readonly data?: Uint8Array | undefined;
}

/** Code prefix of an account that delegates to another one (EIP-7702). */
const DELEGATION = '0xef0100';

/**
 * The vmTrace of each execution, from its struct logs with the options `MACHINE_STATES`. Fails if these exceed
 * `vmTraceBytes` together. Contract code is read after block `height`.
 */
export function machineStates(
  executed: readonly Executed[],
  structLogs: readonly string[],
  height: Height,
  api: Pick<EthereumApi, 'code'>,
): Resolved<readonly VmTrace[]> {
  const { vmTraceBytes } = ETHEREUM_LIMITS;
  const length = structLogs.reduce((sum, text) => sum + text.length, 0);
  if (length > vmTraceBytes)
    return { ok: false, error: invalidParams(`limit vmTraceBytes (${vmTraceBytes}) exceeded`) };
  const codeAt = (address: Uint8Array): string => {
    const code = api.code(address, height);
    return code.ok ? hexData(code.value) : '0x';
  };
  const codeOf = (address: Uint8Array): string => {
    const code = codeAt(address);
    return code.startsWith(DELEGATION) ? codeAt(fromHex(code.slice(DELEGATION.length))) : code;
  };
  const states = structLogs.map((text, index) => {
    const { to, data = new Uint8Array() } = executed[index] ?? {};
    const code = to === undefined ? hexData(data) : codeOf(to);
    return vmTrace(text, code, (address) => codeOf(fromHex(address.slice(2))));
  });
  return { ok: true, value: states };
}
