/** Fee for checking an invariant (cosmos-sdk v0.53 `x/crisis/keeper/keeper.go`, `types/genesis.go`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import { CoinSchema, type Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { GenesisStateSchema } from '../../proto/cosmos/crisis/v1beta1/genesis_pb.js';
import { coin, formatCoins, isValidDenom, parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';

export const STORE = 'crisis';
const FEE_KEY = Uint8Array.of(1);
const PATH = 'app_state.crisis';

/** Reads the fee of `MsgVerifyInvariant`; throws before genesis stored it. */
export function getConstantFee({ store }: Pick<Context, 'store'>): Coin {
  const value = store.get(STORE, FEE_KEY);
  invariant(value !== undefined, 'the fee of invariants has a genesis');
  return fromBinary(CoinSchema, value);
}

/** Stores the fee without validation. */
export function setConstantFee({ store }: Pick<Context, 'store'>, fee: Coin): void {
  store.set(STORE, FEE_KEY, toBinary(CoinSchema, fee));
}

/** True for a valid denom and an amount of zero or more. */
export function isValidFee({ denom, amount }: Coin): boolean {
  return isValidDenom(denom) && parseAmount(amount) !== undefined;
}

/** Stores the fee; default 1000 of the base denom. */
export function initGenesis(context: Context, section: unknown): void {
  const { constantFee } = readSection(PATH, GenesisStateSchema, section ?? {});
  const fee = constantFee ?? coin(context.chain.baseDenom, 1000n);
  if (!isValidFee(fee)) throw new GenesisError(`${PATH}.constant_fee`, 'constant fee is invalid');
  if (BigInt(fee.amount) === 0n)
    throw new GenesisError(`${PATH}.constant_fee`, `constant fee must be positive: ${formatCoins([fee])}`);
  setConstantFee(context, fee);
}

/** Exports the fee. */
export function exportGenesis(context: Context): unknown {
  return writeSection(GenesisStateSchema, { constantFee: getConstantFee(context) });
}
