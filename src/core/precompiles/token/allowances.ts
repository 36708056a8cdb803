/** Allowances of native ERC-20 tokens (cosmos/evm v0.6 `x/erc20/keeper/allowance.go`). */
import { create } from '@bufbuild/protobuf';
import { AllowanceSchema } from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import { erc20Errors } from '../../modules/erc20/errors.js';
import { deleteAllowance, setAllowance, tokenPairOfContract } from '../../modules/erc20/store.js';
import { checksumAddress } from '../../keys/address.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** An allowance from `owner` to `spender`, 20 bytes each. */
export interface Allowed {
  readonly contract: Uint8Array;
  readonly owner: Uint8Array;
  readonly spender: Uint8Array;
}

/** Sets an allowance; zero deletes it. Rejects disabled token pairs and the zero address. */
export function allow(context: Context, { contract, owner, spender }: Allowed, amount: bigint): void {
  const name = (one: Uint8Array): string => checksumAddress(context.crypto, one);
  const erc20Address = name(contract);
  const pair = tokenPairOfContract(context, contract);
  if (pair === undefined)
    throw new SdkError(erc20Errors.pairNotFound, `token pair for address '${erc20Address}' not registered`);
  if (!pair.enabled)
    throw new SdkError(erc20Errors.pairDisabled, `token pair for address '${erc20Address}' is disabled`);
  if (isZero(owner)) throw new SdkError(sdkErrors.invalidAddress, 'owner address is empty');
  if (isZero(spender)) throw new SdkError(sdkErrors.invalidAddress, 'spender address is empty');
  const addresses = [contract, owner, spender];
  if (amount === 0n) deleteAllowance(context, addresses);
  else
    setAllowance(
      context,
      addresses,
      create(AllowanceSchema, { erc20Address, owner: name(owner), spender: name(spender), value: amount.toString() }),
    );
}

const isZero = (address: Uint8Array): boolean => address.every((byte) => byte === 0);
