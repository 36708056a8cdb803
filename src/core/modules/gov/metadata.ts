/** Texts of proposals and votes (cosmos-sdk v0.53 `x/gov/types/metadata.go`, `x/gov/keeper/keeper.go`). */
import { utf8 } from '../../bytes/bytes.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { govErrors } from './errors.js';
import { parseJson } from '../../text/json-text.js';

/** Maximum bytes of metadata and of a title (SDK `x/gov/types/config.go`). */
const MAX_METADATA = 255;
const MAX_SUMMARY = 40 * MAX_METADATA;

/** Requires metadata of at most 255 bytes of UTF-8; gov error 15. */
export function requireMetadataLength(metadata: string): void {
  const { length } = utf8(metadata);
  if (length > MAX_METADATA) throw new SdkError(govErrors.metadataTooLong, `got metadata with length ${length}`);
}

/** Requires a summary of at most 10200 bytes of UTF-8; gov error 22. */
export function requireSummaryLength(summary: string): void {
  const { length } = utf8(summary);
  if (length > MAX_SUMMARY) throw new SdkError(govErrors.summaryTooLong, `got summary with length ${length}`);
}

const TEXTS = ['title', 'summary', 'details', 'proposal_forum_url', 'vote_option_context'];

/**
 * Title and summary from metadata in the recommended JSON form; undefined for other text, which is valid too. Names
 * are case-insensitive, as in Go.
 */
export function titleAndSummary(metadata: string): { readonly title: string; readonly summary: string } | undefined {
  const parsed = parse(metadata);
  if (parsed === undefined) return undefined;
  const found = { title: '', summary: '' };
  for (const [key, value] of Object.entries(parsed ?? {})) {
    const name = key.toLowerCase();
    if (value === null) continue;
    if (name === 'authors' && !(Array.isArray(value) && value.every((one) => one === null || typeof one === 'string')))
      return undefined;
    if (!TEXTS.includes(name)) continue;
    if (typeof value !== 'string') return undefined;
    if (name === 'title' || name === 'summary') found[name] = value;
  }
  return found;
}

/** Parses an object, or null, which Go reads as an empty one; undefined for other text. */
function parse(metadata: string): object | null | undefined {
  if (metadata === '') return undefined;
  try {
    const value: unknown = parseJson(metadata);
    return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
