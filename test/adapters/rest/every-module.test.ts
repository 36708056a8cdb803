/**
 * The gateway over the recorded node's own descriptors, with the answers that the node gave over gRPC. So the REST form
 * is compared for every module, even for modules that do not exist here.
 */
import { fromBinary, toBinary, type DescMethod } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { createRest } from '../../../src/adapters/rest/index.js';
import {
  refusal,
  STATUS,
  type ServiceAnswer,
  type ServiceMethod,
  type ServiceTable,
  type StatusCode,
} from '../../../src/adapters/services/index.js';
import { toHeight } from '../../../src/core/primitives.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { ask } from './ask.js';
import type { Exchange } from './recorded-exchanges.js';
import { recordedRegistry } from './recorded-registry.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';

interface Call {
  readonly method?: string;
  readonly request_hex?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly code?: string;
  readonly message?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly response_hex?: string;
}

const CODES: Readonly<Record<string, StatusCode>> = {
  UNKNOWN: STATUS.unknown,
  INVALID_ARGUMENT: STATUS.invalidArgument,
  NOT_FOUND: STATUS.notFound,
  INTERNAL: STATUS.internal,
  UNIMPLEMENTED: STATUS.unimplemented,
};
const NOT_RECORDED = 'not recorded';
/** Routes that the Go node's gateway lacks although it has their services, or where it refuses names of enums. */
const INTENDED =
  /^\/ibc\/core\/client\/v2\/|^\/cosmos\/params\/|a%2Fb$|gov\/v1beta1\/proposals\?proposal_status=PROPOSAL_STATUS_/;

/** Answers a call as recorded; the recording is found by the request. */
function recordedTable(): ServiceTable {
  const registry = recordedRegistry();
  const services = [...registry.files].flatMap((file) => file.services).filter(({ name }) => name !== 'Msg');
  const methods = new Map<string, ServiceMethod>();
  const meaning = ({ input }: DescMethod, bytes: Uint8Array): string =>
    Buffer.from(toBinary(input, fromBinary(input, bytes))).toString('hex');
  for (const desc of services.flatMap((service) => service.methods)) {
    const path = `/${desc.parent.typeName}/${desc.name}`;
    methods.set(path, {
      path,
      desc,
      nodeLevel: false,
      call: (data) =>
        Promise.resolve(
          answers.get(`${path} ${meaning(desc, data)}`) ?? {
            ...refusal(STATUS.internal, NOT_RECORDED),
            height: undefined,
          },
        ),
    });
  }
  const answers = new Map<string, ServiceAnswer>();
  for (const {
    method = '',
    request_hex: request = '',
    metadata,
    code = '',
    message = '',
    header = {},
    response_hex: value = '',
  } of goldenLines<Call>('faces/grpc.jsonl')) {
    const desc = methods.get(`/${method}`)?.desc;
    if (desc === undefined || metadata !== undefined) continue;
    const at = header['x-cosmos-block-height'];
    const height = at === undefined ? undefined : toHeight(BigInt(at));
    const key = `/${method} ${meaning(desc, Buffer.from(request, 'hex'))}`;
    const answer: ServiceAnswer =
      code === 'OK'
        ? { ok: true, value: Buffer.from(value, 'hex'), height }
        : { ...refusal(CODES[code] ?? STATUS.unknown, message), height };
    if (!answers.has(key)) answers.set(key, answer);
  }
  const call: ServiceTable['call'] = (path, data, height) =>
    methods.get(path)?.call(data, height) ??
    Promise.resolve({ ...refusal(STATUS.unimplemented, ''), height: undefined });
  return {
    methods,
    services,
    files: { registry, files: [...registry.files], services },
    timers: createHostTimers(),
    call,
  };
}

describe.skipIf(!hasGolden)('the REST gateway over every recorded module', () => {
  it('answers as recorded when the call was also recorded over gRPC, and refuses the same requests', async () => {
    const face = createRest(recordedTable(), { version: '' });
    const differing: string[] = [];
    let equal = 0;
    for (const { name, req, res } of goldenLines<Exchange>('faces/rest.jsonl')) {
      // Only recordings of service calls; the others test paths and heights.
      if (!name.includes('.') || req.path.startsWith('/cosmos/base/reflection') || INTENDED.test(req.path)) continue;
      const answer = await ask(face, req);
      if (
        answer.status === res.status &&
        same(answer.body, res.body) &&
        answer.headers['location'] === res.headers['location']
      )
        equal += 1;
      else differing.push(`${name} ${req.method} ${req.path} ${answer.status} ${answer.body.slice(0, 200)}`);
    }
    expect(differing).toEqual([]);
    expect(equal).toBeGreaterThan(350);
  }, 30_000);
});

function same(one: string, other: string): boolean {
  if (one === '' || other === '') return one === other;
  try {
    expect(JSON.parse(one)).toEqual(JSON.parse(other));
    return true;
  } catch {
    return false;
  }
}
