/**
 * Kept inputs of a decoder: for each reason that it gave, the shortest input that it gave it for. They are changed
 * further as the samples are. Lines of hexadecimal digits in `corpus`, at most `CORPUS_BYTES` of input for a decoder.
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

  /** Numbers, texts and names of an input are no part of the answer. */
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
