/** Incentive proposals (evmos v3.0.0 `x/incentives/keeper/proposals.go`, `types/proposal.go`). */
import { create } from '@bufbuild/protobuf';
import { toTimestamp } from '../../comet/time.js';
import {
  IncentiveSchema,
  type CancelIncentiveProposal,
  type RegisterIncentiveProposal,
} from '../../proto/evmos/incentives/v1/incentives_pb.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { isValidDenom } from '../../sdk/coins/coins.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { abciEvent, emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError, SdkError, sdkErrors, type RegisteredError } from '../../sdk/module/sdk-error.js';
import { getBalance } from '../bank/balances.js';
import { getCodeHash, getParams as evmParams, isEmptyCodeHash } from '../evm/store.js';
import { dec, getParams, INCENTIVES } from './params.js';
import {
  deleteGasMeters,
  deleteIncentive,
  getAllocation,
  getIncentive,
  hexAddress,
  setAllocation,
  setIncentive,
} from './store.js';

/** Error of incentives (evmos v3.0.0 `x/incentives/types/errors.go`). */
const incentivesErrors = {
  internal: { codespace: INCENTIVES, code: 2, text: 'internal incentives error' },
} as const satisfies Record<string, RegisteredError>;

const refuse = (text: string): never => {
  throw new SdkError(incentivesErrors.internal, text);
};

/** Decodes a contract address with `0x`; throws with the text of Ethermint v0.14. */
export function requireContract(text: string): Uint8Array {
  const address = hexAddress(text);
  if (address !== undefined) return address;
  throw new SdkError(sdkErrors.invalidAddress, `address '${text}' is not a valid ethereum hex address`);
}

/** Requires allocations above 0 and at most 1, sorted by denom without duplicates. */
export function requireAllocations(allocations: RegisterIncentiveProposal['allocations']): void {
  if (allocations.length === 0) throw plainError('incentive allocations cannot be empty');
  allocations.forEach(({ denom, amount }, index) => {
    const part = dec(amount);
    if (part > DEC_ONE || part <= 0n) throw plainError(`invalid amount for allocation: ${formatDec(part)}`);
    if (!isValidDenom(denom)) throw plainError(`invalid denom: ${denom}`);
    const before = allocations[index - 1]?.denom;
    if (before !== undefined && before >= denom)
      throw plainError(before === denom ? `duplicate denomination ${denom}` : `denomination ${denom} is not sorted`);
  });
}

/** Stateless validation of a proposal. */
export function validateRegister({ contract, allocations, epochs }: RegisterIncentiveProposal): void {
  requireContract(contract);
  requireAllocations(allocations);
  if (epochs === 0) throw plainError('epochs value (0) cannot be 0');
}

function requireEnabled(context: Context): void {
  if (getParams(context)?.enableIncentives !== true) refuse('incentives are currently disabled by governance');
}

/** Registers an incentive for a contract; emits register_incentive. */
export function registerIncentive(context: Context, proposal: RegisterIncentiveProposal): void {
  validateRegister(proposal);
  requireEnabled(context);
  const { contract: shown, allocations, epochs } = proposal;
  const contract = requireContract(shown);
  if (isEmptyCodeHash(getCodeHash(context, contract))) refuse(`contract doesn't exist: ${shown}`);
  if (getIncentive(context, contract) !== undefined) refuse(`incentive already registered: ${shown}`);
  const limit = dec(getParams(context)?.allocationLimit ?? '');
  const pool = moduleAddress(context.crypto, INCENTIVES);
  const { evmDenom } = evmParams(context);
  for (const { denom, amount } of allocations) {
    if (denom !== evmDenom && getBalance(context, pool, denom) === 0n)
      throw new SdkError(sdkErrors.invalidCoins, `base denomination '${denom}' cannot have a supply of 0`);
    const part = dec(amount);
    if (part > limit)
      refuse(
        `allocation for denom '${denom}' (${formatDec(part)}) cannot be above allocation limit (${formatDec(limit)})`,
      );
    const sum = getAllocation(context, denom) + part;
    if (sum > DEC_ONE) refuse(`allocation for denom ${denom} is lager than 100 percent: ${formatDec(sum)}`);
    setAllocation(context, { denom, amount: sum });
  }
  const startTime = toTimestamp(context.time);
  setIncentive(context, contract, create(IncentiveSchema, { contract: shown, allocations, epochs, startTime }));
  emit(context, 'register_incentive', () => [
    ['contract', shown],
    ['epochs', epochs.toString()],
  ]);
}

/** Cancels the incentive of a contract without paying participants; emits cancel_incentive. */
export function cancelIncentive(context: Context, { contract: shown }: CancelIncentiveProposal): void {
  requireEnabled(context);
  const contract = requireContract(shown);
  const incentive = getIncentive(context, contract);
  if (incentive === undefined) throw new SdkError(sdkErrors.invalidAddress, `unmatching contract '${shown}' `);
  deleteIncentive(context, contract, incentive);
  deleteGasMeters(context, contract);
  context.events.push(abciEvent('cancel_incentive', [['contract', shown]]));
}
