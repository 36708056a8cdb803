/** Builds contents of incentive proposals from arguments (evmos v3.0.0 `x/incentives/client/cli/tx.go`). */
import type { Any } from '@bufbuild/protobuf/wkt';
import {
  CancelIncentiveProposalSchema,
  RegisterIncentiveProposalSchema,
} from '../../core/proto/evmos/incentives/v1/incentives_pb.js';
import { parseDec } from '../../core/sdk/coins/dec.js';
import { messageAny } from './draft.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { wholeNumber } from '../values/whole-number.js';

interface Texts {
  readonly title: string;
  readonly description: string;
}

const MOST_EPOCHS = 2n ** 32n - 1n;

/** `register-incentive CONTRACT ALLOCATIONS EPOCHS`: parts of the pool by denom, `0.05achr,0.01atest`. */
export function registerContent(texts: Texts, [contract = '', shares = '', epochs = '']: readonly string[]): Any {
  requireHex(contract);
  const count = wholeNumber(epochs, 'epochs');
  if (count > MOST_EPOCHS) throw new CommandError(EXIT.usage, `epochs: at most ${MOST_EPOCHS}`);
  const allocations = shares.split(',').map((share) => {
    const [, part = '', denom = ''] = /^([0-9.]+)([a-zA-Z].*)$/.exec(share.trim()) ?? [];
    const amount = parseDec(part);
    if (amount === undefined)
      throw new CommandError(EXIT.usage, `allocations: ${share} is not a part such as 0.05achr`);
    return { denom, amount: amount.toString() };
  });
  const sorted = allocations.toSorted((a, b) => (a.denom < b.denom ? -1 : 1));
  return messageAny(RegisterIncentiveProposalSchema, {
    ...texts,
    contract,
    allocations: sorted,
    epochs: Number(count),
  });
}

/** `cancel-incentive CONTRACT`. */
export function cancelContent(texts: Texts, [contract = '']: readonly string[]): Any {
  requireHex(contract);
  return messageAny(CancelIncentiveProposalSchema, { ...texts, contract });
}

function requireHex(contract: string): void {
  if (!/^(0x)?[0-9a-f]{40}$/i.test(contract))
    throw new CommandError(EXIT.usage, `invalid contract address: ${contract}`);
}
