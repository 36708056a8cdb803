/** Validators with data from staking, slashing and consensus. */
import { bech32Bytes, hexData } from './crypto.js';
import { comet, rest, restOrNull } from './faces.js';

export interface Validator {
  readonly operator_address: string;
  readonly consensus_pubkey: { readonly key: string } | null;
  readonly jailed: boolean;
  readonly status: string;
  readonly tokens: string;
  readonly delegator_shares: string;
  readonly description: {
    readonly moniker: string;
    readonly website: string;
    readonly details: string;
    readonly identity: string;
    readonly security_contact: string;
  };
  readonly unbonding_time: string;
  readonly commission: {
    readonly commission_rates: { readonly rate: string; readonly max_rate: string; readonly max_change_rate: string };
  };
  readonly min_self_delegation: string;
}

interface SigningInfo {
  readonly address: string;
  readonly missed_blocks_counter: string;
  readonly jailed_until: string;
  readonly tombstoned: boolean;
}

export interface ValidatorRow extends Validator {
  /** Voting power; undefined if it is not in the validator set, null if the consensus RPC is closed. */
  readonly power: bigint | undefined | null;
  readonly missed: string | undefined;
  readonly isTombstoned: boolean;
}

/** Validators at a height or at the head, ordered by tokens, highest first. */
export async function validatorsAt(at: bigint | undefined, prefix: string): Promise<readonly ValidatorRow[]> {
  const [{ validators }, infos, set] = await Promise.all([
    rest<{ readonly validators: readonly Validator[] }>('/cosmos/staking/v1beta1/validators?pagination.limit=500', at),
    restOrNull<{ readonly info: readonly SigningInfo[] }>(
      '/cosmos/slashing/v1beta1/signing_infos?pagination.limit=500',
      at,
    ),
    comet<{
      readonly validators: readonly {
        readonly address: string;
        readonly voting_power: string;
        readonly pub_key: { readonly value: string };
      }[];
    }>('validators', { per_page: 100n, ...(at !== undefined && { height: at }) }).catch(() => undefined),
  ]);
  const missed = new Map<string, SigningInfo>();
  for (const info of infos?.info ?? []) {
    const bytes = bech32Bytes(info.address, `${prefix}valcons`);
    if (bytes !== undefined) missed.set(hexData(bytes), info);
  }
  return validators
    .map((validator): ValidatorRow => {
      const signer = set?.validators.find(({ pub_key: key }) => key.value === validator.consensus_pubkey?.key);
      const info = signer && missed.get(`0x${signer.address.toLowerCase()}`);
      return {
        ...validator,
        power: set === undefined ? null : signer && BigInt(signer.voting_power),
        missed: info?.missed_blocks_counter,
        isTombstoned: info?.tombstoned === true,
      };
    })
    .toSorted((a, b) => Number(BigInt(b.tokens) - BigInt(a.tokens)));
}

/** Power as text. */
export function powerText({ power }: Pick<ValidatorRow, 'power'>): string {
  return power === null ? 'not known' : (power?.toString() ?? 'none');
}

/** Formats a decimal such as `0.100000000000000000` in percent. */
export function percentText(fraction: string): string {
  const percent = Number(fraction) * 100;
  return `${percent.toFixed(2).replace(/\.?0+$/, '')}%`;
}
