/**
 * Kept inputs of a decoder: the shortest input for each different answer. They are changed further, like the samples.
 * `corpus` holds them as lines of hexadecimal digits, at most `CORPUS_BYTES` of input for each decoder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const CORPUS_BYTES = 4_096;

const fileOf = (name: string): URL => new URL(`corpus/${name}.txt`, import.meta.url);

export function readCorpus(name: string): readonly Uint8Array[] {
  const file = fileOf(name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => Uint8Array.from(Buffer.from(line, 'hex')));
}

/** Collects the shortest input for each answer. */
export class Corpus {
  readonly #inputs = new Map<string, Uint8Array>();

  /** Masks numbers, texts and names from the input in an answer. */
  add(answer: string, input: Uint8Array): void {
    const kind = answer.replace(/["'`].*["'`]|0x[0-9a-f]*|[0-9]+/gis, '').slice(0, 80);
    const known = this.#inputs.get(kind);
    if (known === undefined || input.length < known.length) this.#inputs.set(kind, input);
  }

  /** Number of answers that were different. */
  get size(): number {
    return this.#inputs.size;
  }

  write(name: string): void {
    let bytes = 0;
    const kept = [...this.#inputs.values()]
      .toSorted((one, other) => one.length - other.length)
      .filter((input) => input.length > 0 && (bytes += input.length) <= CORPUS_BYTES);
    if (kept.length === 0) return;
    writeFileSync(fileOf(name), kept.map((input) => `${Buffer.from(input).toString('hex')}\n`).join(''));
  }
}
