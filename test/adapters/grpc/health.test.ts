/** Health for load balancers (grpc.health.v1), and the end of watches when the server closes. */
import { fromBinary } from '@bufbuild/protobuf';
import { type Client, status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { createServices } from '../../../src/adapters/services/index.js';
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Serving,
  HealthCheckResponseSchema,
} from '../../../src/core/proto/grpc/health/v1/health_pb.js';
import { rawCall } from './reflected-client.js';
import { serve, serveSmall, smallNode } from './support.js';
import { encode } from '../../support/encode.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';

const asked = (service: string): Uint8Array => encode(HealthCheckRequestSchema, { service });
const answered = (bytes: Uint8Array): Serving => fromBinary(HealthCheckResponseSchema, bytes).status;
const check = async (client: Client, service: string): Promise<Serving | string> => {
  const { value, error } = await rawCall(client, '/grpc.health.v1.Health/Check', asked(service));
  return error === undefined ? answered(value ?? new Uint8Array()) : `${error.code} ${error.details}`;
};
/** Statuses of one watch, and its end. */
function watch(client: Client, service: string) {
  const stream = client.makeServerStreamRequest(
    '/grpc.health.v1.Health/Watch',
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    Buffer.from(asked(service)),
  );
  const seen: Serving[] = [];
  const first = new Promise<Serving>((resolve) => {
    stream.on('data', (bytes: Buffer) => {
      seen.push(answered(bytes));
      resolve(answered(bytes));
    });
  });
  const ended = new Promise<void>((resolve) => {
    stream.on('end', () => resolve());
    stream.on('error', () => resolve());
  });
  return { seen, first, ended, cancel: () => stream.cancel() };
}

describe('gRPC health', () => {
  it('is SERVING for the server and each served service, and an error for unknown services', async () => {
    const { client } = await serveSmall();
    expect(await check(client, '')).toBe(Serving.SERVING);
    expect(await check(client, 'cosmos.bank.v1beta1.Query')).toBe(Serving.SERVING);
    expect(await check(client, 'cosmos.staking.v1beta1.Query')).toBe(`${status.NOT_FOUND} unknown service`);
  });

  it('is NOT_SERVING for a node that stops', async () => {
    const api = smallNode({}, () => 'draining');
    const served = await serve(
      api,
      createServices({
        api,
        timers: createHostTimers(),
        facts: {
          application: { name: 'x', version: '0' },
          bech32Prefix: 'chron',
          minimumGasPrice: '',
          pruning: { keepRecent: 0n, interval: 0n },
        },
      }),
    );
    expect(await check(served.client, '')).toBe(Serving.NOT_SERVING);
    await served.close();
  });

  it('sends the status to a watch at once, and NOT_SERVING before its end when the server closes', async () => {
    const served = await serveSmall();
    const { client } = served;
    const known = watch(client, '');
    const unknown = watch(client, 'nope');
    expect(await known.first).toBe(Serving.SERVING);
    expect(await unknown.first).toBe(Serving.SERVICE_UNKNOWN);
    await Promise.all([served.close(), known.ended, unknown.ended]);
    expect(known.seen).toEqual([Serving.SERVING, Serving.NOT_SERVING]);
  });
});
