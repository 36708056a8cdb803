/** Wei in cosmos/evm v0.6: whole coins in bank, fractions in precisebank. */
import { lockedOf, spendableOf } from '../../modules/bank/spendable.js';
import { getBalance, setBalance } from '../../modules/bank/balances.js';
import { coinRules } from '../../modules/evm/coins.js';
import { evmCoin } from '../../sdk/coins/evm-coin.js';
import { getFraction, setFraction } from './precisebank/fractions.js';
import { moveWei, spendableWei } from './precisebank/move.js';

export const coins = coinRules.with({
  hasFractions: true,
  /** precisebank also moves coins without fractions (`x/precisebank/keeper/send.go`). */
  move: (context, from, to, amount) => moveWei(context, evmCoin(context), from, to, amount),
  spendable: (context, account, address) => {
    const coin = evmCoin(context);
    return coin.unit === 1n ? spendableOf(context, account, address, coin.denom) : spendableWei(context, coin, address);
  },
  setSpendable: (context, account, address, wei) => {
    const { denom, unit } = evmCoin(context);
    setBalance(context, address, denom, wei / unit + lockedOf(context, account, denom));
    if (unit !== 1n) setFraction(context, address, wei % unit);
  },
  add: (context, address, wei) => {
    const { denom, unit } = evmCoin(context);
    const sum = getBalance(context, address, denom) * unit + (unit === 1n ? 0n : getFraction(context, address)) + wei;
    setBalance(context, address, denom, sum / unit);
    if (unit !== 1n) setFraction(context, address, sum % unit);
  },
});
