/** Balances and staking of an account, at a height or at the head. */
import { ask, hexOf } from './ethereum.js';
import { type Coin, restOrNull } from './faces.js';

/** An account in Ethereum JSON-RPC. */
export interface Info {
  readonly balance: string;
  readonly nonce: string;
  readonly code: string;
}

export interface Delegation {
  readonly delegation: { readonly validator_address: string };
  readonly balance: Coin;
}

export interface Unbonding {
  readonly validator: string;
  readonly completion_time: string;
  readonly balance: string;
}

/** Balance, nonce and code of an account. */
export async function infoOf(hex: string, at: bigint | undefined): Promise<Info> {
  return await ask<Info>('eth_getAccountInfo', hex, at === undefined ? 'latest' : hexOf(at));
}

/** Coins of an account (the first hundred denoms). */
export async function coinsOf(bech32: string, at: bigint | undefined): Promise<readonly Coin[]> {
  const answer = await restOrNull<{ readonly balances: readonly Coin[] }>(
    `/cosmos/bank/v1beta1/balances/${bech32}?pagination.limit=100`,
    at,
  );
  return answer?.balances ?? [];
}

/** Delegations of an account (the first hundred). */
export async function delegationsOf(bech32: string, at: bigint | undefined): Promise<readonly Delegation[]> {
  const answer = await restOrNull<{ readonly delegation_responses: readonly Delegation[] }>(
    `/cosmos/staking/v1beta1/delegations/${bech32}?pagination.limit=100`,
    at,
  );
  return answer?.delegation_responses ?? [];
}

/** Unbonding delegations of an account. */
export async function unbondingOf(bech32: string, at: bigint | undefined): Promise<readonly Unbonding[]> {
  const answer = await restOrNull<{
    readonly unbonding_responses: readonly {
      readonly validator_address: string;
      readonly entries: readonly Omit<Unbonding, 'validator'>[];
    }[];
  }>(`/cosmos/staking/v1beta1/delegators/${bech32}/unbonding_delegations`, at);
  return (answer?.unbonding_responses ?? []).flatMap(({ validator_address: validator, entries }) =>
    entries.map((entry) => ({ validator, ...entry })),
  );
}
