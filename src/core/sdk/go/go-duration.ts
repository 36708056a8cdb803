/** Nanoseconds of units below a second. */
const UNITS = [
  [1_000_000n, 'ms'],
  [1_000n, 'µs'],
  [1n, 'ns'],
] as const;

/** Formats like Go's `Duration.String`: `48h0m0s`, `1.5s`, `-1s`; below a second `1.5ms`, `2µs`, `7ns`. */
export function goDuration(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  const unit = UNITS.find(([one]) => size >= one);
  if (unit !== undefined && size < 1_000_000_000n) return `${sign}${decimal(size, unit[0])}${unit[1]}`;
  const [hours, minutes] = [size / 3_600_000_000_000n, (size / 60_000_000_000n) % 60n];
  const rest = size % 60_000_000_000n;
  const seconds = `${decimal(rest, 1_000_000_000n)}s`;
  const front = hours > 0n ? `${hours}h${minutes}m` : minutes > 0n ? `${minutes}m` : '';
  return `${sign}${front}${seconds}`;
}

/** Formats `size / unit` with as many decimals as needed. */
function decimal(size: bigint, unit: bigint): string {
  const broken = (size % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return `${size / unit}${broken === '' ? '' : `.${broken}`}`;
}
