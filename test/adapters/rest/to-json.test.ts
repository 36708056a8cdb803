import { describe, expect, it } from 'vitest';
import { createToJson } from '../../../src/adapters/rest/json/to-json.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { recordedRegistry } from './recorded-registry.js';

interface GrpcLine {
  readonly name: string;
  readonly method: string;
  readonly code: string;
  readonly response_hex?: string;
}

interface RestLine {
  readonly name: string;
  readonly res: { readonly status: number; readonly body: string };
}

/** Requested by number over REST, because the name was refused. */
const ASKED_OTHERWISE = new Set(['cosmos.gov.v1beta1.Query/Proposals']);

describe.skipIf(!hasGolden)('JSON of encoded messages of all recorded modules', () => {
  it('equals the body of the real gateway for the message that the real node answered over gRPC', () => {
    const registry = recordedRegistry();
    const toJson = createToJson(registry);
    const bodies = new Map<string, Set<string>>();
    for (const { name, res } of goldenLines<RestLine>('faces/rest.jsonl')) {
      if (name.includes('.') && res.status === 200)
        bodies.set(name, (bodies.get(name) ?? new Set()).add(canonical(res.body)));
    }
    const differing: string[] = [];
    let equal = 0;
    for (const { name, method, response_hex: hex, code } of goldenLines<GrpcLine>('faces/grpc.jsonl')) {
      const known = bodies.get(method);
      if (known === undefined || hex === undefined || code !== 'OK' || name !== '' || ASKED_OTHERWISE.has(method))
        continue;
      const desc = registry
        .getService(method.slice(0, method.indexOf('/')))
        ?.methods.find((one) => one.name === method.slice(method.indexOf('/') + 1));
      const bytes = Buffer.from(hex, 'hex');
      const text = desc && toJson(desc.output, bytes);
      const inPieces = desc && [...toJson.pieces(desc.output, bytes)].join('');
      if (text !== undefined && text === inPieces && known.has(canonical(text))) equal += 1;
      else differing.push(method);
    }
    expect(differing).toEqual([]);
    expect(equal).toBeGreaterThan(200);
  });
});

function canonical(text: string): string {
  return JSON.stringify(sorted(JSON.parse(text)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
