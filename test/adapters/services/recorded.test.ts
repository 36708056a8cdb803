/** The answers of the service table, compared byte for byte with the recorded answers of a Go node. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseHeight, STATUS, type ServiceAnswer } from '../../../src/adapters/services/index.js';
import { fromHex, upperHex } from '../../../src/core/bytes/hex.js';
import { hasGolden } from '../../support/golden.js';
import { calls, comparable, headOf, skipped, type Call } from './recorded-calls.js';
import { recordedServices, type RecordedServices } from './recorded-services.js';

const CODES: Readonly<Record<string, number>> = {
  UNKNOWN: STATUS.unknown,
  INVALID_ARGUMENT: STATUS.invalidArgument,
  NOT_FOUND: STATUS.notFound,
  UNIMPLEMENTED: STATUS.unimplemented,
  INTERNAL: STATUS.internal,
};

describe.skipIf(!hasGolden)('recorded gRPC calls', () => {
  const compared = calls.filter((call) => skipped(call) === undefined);
  const reasons = new Map<string, number>();
  for (const call of calls) {
    const why = skipped(call);
    if (why !== undefined) reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  for (const [why, count] of reasons) it.skip(`${count} calls (reason: ${why})`);

  const nodes = new Map<bigint, RecordedServices>();
  beforeAll(async () => {
    for (const head of new Set(compared.map(headOf))) nodes.set(head, await recordedServices(head));
  }, 120_000);

  it('most calls to modules that exist are compared', () => expect(compared.length).toBeGreaterThan(290));

  it.each(
    compared.map((call, index) => ({
      title: `${index} ${call.name} ${call.method} ${JSON.stringify(call.request).slice(0, 120)} ${JSON.stringify(call.metadata ?? {})}`,
      call,
    })),
  )('$title', async ({ call }) => {
    expect(shown(await answerTo(nodes.get(headOf(call)), call))).toEqual(recorded(call));
  });
});

async function answerTo(node: RecordedServices | undefined, call: Call): Promise<ServiceAnswer> {
  const height = parseHeight(call.metadata?.['x-cosmos-block-height']);
  if (!height.ok) return { ...height, height: undefined };
  return (
    node?.services.call(`/${call.method}`, fromHex(call.request_hex), height.height) ??
    Promise.reject(new Error('no node'))
  );
}

function shown(answer: ServiceAnswer): unknown {
  const height = answer.height === undefined ? {} : { height: String(answer.height) };
  return answer.ok
    ? { value: upperHex(answer.value).toLowerCase(), ...height }
    : { code: answer.code, message: comparable(answer.message), ...height };
}

function recorded({ code, message = '', response_hex: value = '', header }: Call): unknown {
  const at = header['x-cosmos-block-height'];
  const height = at === undefined ? {} : { height: at };
  return code === 'OK' ? { value, ...height } : { code: CODES[code], message: comparable(message), ...height };
}
