const DECIMALS = 18;
/** Smallest amount in wei shown in the display unit; smaller ones are shown in the base unit. */
const SMALLEST_SHOWN = 10n ** 12n;

/** Formats wei as `1.5 chr`, the display unit of a base denom such as `achr`; small amounts as `7 achr`. */
export function amountText(wei: bigint, baseDenom: string): string {
  if (wei < SMALLEST_SHOWN || !baseDenom.startsWith('a')) return `${wei} ${baseDenom}`;
  const digits = wei.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`} ${baseDenom.slice(1)}`;
}
