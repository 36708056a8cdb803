import { toHeight, type Height } from '../../core/primitives.js';
import { canonicalText, matchesValue, type Condition } from '../../core/query/index.js';
import { compareDecimals, leadingDecimal, type Decimal } from '../../core/query/decimal.js';
import { HEIGHT_KEY, type PostingKind } from './posting.js';

/** One scan of the index: postings with the key `key` and, if given, exactly the value `value`. */
export interface Scan {
  /** Composite key; if it begins with a dot, every key with this suffix. */
  readonly key: string;
  readonly value: string | undefined;
  /** Alternative scan: postings of either match. */
  readonly or?: Scan;
  accepts(value: string): boolean;
}

/**
 * Plan of a query: find transactions or blocks at heights `low` to `high` that have one event satisfying every scan.
 */
export interface Plan {
  readonly low: Height;
  readonly high: Height;
  readonly scans: readonly Scan[];
}

/** Scans of a plan; a plan without conditions matches everything in its height range. */
export function scansOf(kind: PostingKind, { scans }: Plan): readonly Scan[] {
  return scans.length > 0 ? scans : [{ key: HEIGHT_KEY[kind], value: '', accepts: () => true }];
}

/** True when a composite key belongs to a scan. */
export function hasKey(scan: Scan, key: string): boolean {
  return scan.key === key || (scan.key.startsWith('.') && key.endsWith(scan.key));
}

interface Bounds {
  lower?: Decimal;
  upper?: Decimal;
  includeLower: boolean;
  includeUpper: boolean;
}

const WHOLE_NUMBER = /^[0-9]+(\.[0-9]+)?$/u;

/**
 * Turns conditions into scans with the semantics of CometBFT's indexers (v0.38 `state/txindex/kv/kv.go`): `=` compares
 * text; ranges need a whole number; of several lower (upper) bounds of one key the last one counts, and it is inclusive
 * if one of them is; a range of heights cancels equalities of heights, of which otherwise the first counts. Only
 * heights from `first` to `head` match.
 */
export function planOf(
  kind: PostingKind,
  conditions: readonly Condition[],
  { first, head }: { readonly first: Height; readonly head: Height },
): Plan {
  const heightKey = HEIGHT_KEY[kind];
  const ranges = new Map<string, Bounds>();
  const scans: Scan[] = [];
  let equalHeight: Decimal | undefined;
  for (const condition of conditions) {
    const { key, phase } = condition.target;
    const dot = key.lastIndexOf('.');
    // Same as in live queries: a condition that matches the empty text also matches all events of the type in this
    // phase; a target with a phase only matches all its events.
    const ofType = phase !== undefined && matchesValue(condition, '') ? equality(`${key}.mode`, phase) : undefined;
    if (ofType !== undefined && dot < 0) {
      scans.push(ofType);
      continue;
    }
    const add = (scan: Scan): void => void scans.push(ofType === undefined ? scan : { ...scan, or: ofType });
    if (phase !== undefined && dot >= 0) add(equality(`${key.slice(0, dot)}.mode`, phase));
    if (condition.op === 'EXISTS') {
      if (key !== heightKey) add({ key, value: undefined, accepts: () => true });
    } else if (condition.op === 'CONTAINS') {
      const { text } = condition.operand;
      add({ key, value: undefined, accepts: (value) => value.includes(text) });
    } else if (condition.op === '=') {
      const { operand } = condition;
      if (key !== heightKey) add(equality(key, operand.text));
      else equalHeight ??= leadingDecimal(operand.text) ?? { digits: -1n, scale: 0 };
    } else if (condition.operand.kind === 'number') {
      const bounds = ranges.get(key) ?? { includeLower: false, includeUpper: false };
      ranges.set(key, bounds);
      if (condition.op.startsWith('>')) {
        bounds.lower = condition.operand.value;
        bounds.includeLower ||= condition.op === '>=';
      } else {
        bounds.upper = condition.operand.value;
        bounds.includeUpper ||= condition.op === '<=';
      }
    } else {
      scans.push({ key, value: undefined, accepts: () => false });
    }
  }
  const heights = ranges.get(heightKey);
  ranges.delete(heightKey);
  for (const [key, bounds] of ranges) scans.push({ key, value: undefined, accepts: (value) => inside(bounds, value) });
  if (heights === undefined && equalHeight !== undefined) {
    const exact = equalHeight.scale === 0 && equalHeight.digits >= first && equalHeight.digits <= head;
    return { ...(exact ? span(equalHeight.digits, equalHeight.digits) : span(1n, 0n)), scans };
  }
  return { ...heightsInside(heights, first, head), scans };
}

function equality(key: string, text: string): Scan {
  const canonical = canonicalText(text);
  return { key, value: text, accepts: (value) => canonicalText(value) === canonical };
}

function inside({ lower, upper, includeLower, includeUpper }: Bounds, value: string): boolean {
  const number = WHOLE_NUMBER.test(value) ? leadingDecimal(value) : undefined;
  if (number === undefined) return false;
  const above = lower === undefined ? 1 : compareDecimals(number, lower);
  const below = upper === undefined ? -1 : compareDecimals(number, upper);
  return (above > 0 || (above === 0 && includeLower)) && (below < 0 || (below === 0 && includeUpper));
}

function heightsInside(bounds: Bounds | undefined, first: Height, head: Height): Pick<Plan, 'low' | 'high'> {
  const whole = (decimal: Decimal): { floor: bigint; exact: boolean } => {
    const unit = 10n ** BigInt(decimal.scale);
    return { floor: decimal.digits / unit, exact: decimal.digits % unit === 0n };
  };
  let low: bigint = first;
  let high: bigint = head;
  if (bounds?.lower !== undefined) {
    const { floor, exact } = whole(bounds.lower);
    const least = exact && bounds.includeLower ? floor : floor + 1n;
    if (least > low) low = least;
  }
  if (bounds?.upper !== undefined) {
    const { floor, exact } = whole(bounds.upper);
    const last = exact && !bounds.includeUpper ? floor - 1n : floor;
    if (last < high) high = last;
  }
  return low > high ? span(1n, 0n) : span(low, high);
}

function span(low: bigint, high: bigint): Pick<Plan, 'low' | 'high'> {
  return { low: toHeight(low), high: toHeight(high) };
}
