const DECIMALS = 18;
/** Amounts below a millionth of the display unit are shown in the base unit. */
const SMALLEST_SHOWN = 10n ** 12n;

/** `1.5 chr` of wei, in the display unit of a base denom such as `achr`; small amounts as `7 achr`. */
export function amountText(wei: bigint, baseDenom: string): string {
  if (wei < SMALLEST_SHOWN || !baseDenom.startsWith('a')) return `${wei} ${baseDenom}`;
  const digits = wei.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`} ${baseDenom.slice(1)}`;
}
