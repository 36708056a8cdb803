/** Files and extensions in server reflection, and that each file is sent once on a stream. */
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { DescriptorIndex } from '../../../src/adapters/grpc/descriptor-index.js';
import { servedFiles } from '../../../src/adapters/services/index.js';
import { file_grpc_reflection_v1_reflection as v1 } from '../../../src/core/proto/grpc/reflection/v1/reflection_pb.js';
import { file_grpc_reflection_v1alpha_reflection as v1alpha } from '../../../src/core/proto/grpc/reflection/v1alpha/reflection_pb.js';

const index = new DescriptorIndex(servedFiles());
const names = (files: readonly Uint8Array[] | undefined): readonly string[] | undefined =>
  files?.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);

describe('file descriptors from reflection', () => {
  it.each([
    ['a service', 'cosmos.bank.v1beta1.Query', 'cosmos/bank/v1beta1/query.proto'],
    ['a method', 'cosmos.bank.v1beta1.Query.Balance', 'cosmos/bank/v1beta1/query.proto'],
    ['a message', 'cosmos.bank.v1beta1.MsgSend', 'cosmos/bank/v1beta1/tx.proto'],
    ['a nested message', 'cosmos.tx.v1beta1.ModeInfo.Single', 'cosmos/tx/v1beta1/tx.proto'],
    ['a field', 'cosmos.bank.v1beta1.MsgSend.amount', 'cosmos/bank/v1beta1/tx.proto'],
    ['an enum', 'cosmos.tx.v1beta1.OrderBy', 'cosmos/tx/v1beta1/service.proto'],
    ['a value of an enum', 'cosmos.tx.v1beta1.ORDER_BY_ASC', 'cosmos/tx/v1beta1/service.proto'],
    ['a value of a nested enum', 'grpc.health.v1.HealthCheckResponse.SERVING', 'grpc/health/v1/health.proto'],
    ['an extension', 'google.api.http', 'google/api/annotations.proto'],
  ])('include the file of %s', (_what, symbol, file) => {
    expect(names(index.bySymbol(symbol, new Set()))?.[0]).toBe(file);
  });

  it('include all imports of a file, once per stream', () => {
    const sent = new Set<string>();
    const first = names(index.byName('cosmos/bank/v1beta1/query.proto', sent)) ?? [];
    expect(first).toContain('google/protobuf/descriptor.proto');
    expect(new Set(first).size).toBe(first.length);
    expect(names(index.byName('cosmos/bank/v1beta1/tx.proto', sent))?.filter((name) => first.includes(name))).toEqual(
      [],
    );
    expect(names(index.byName('cosmos/bank/v1beta1/query.proto', sent))).toEqual(['cosmos/bank/v1beta1/query.proto']);
    expect(index.byName('nope.proto', sent)).toBeUndefined();
  });

  it('include extensions by their number', () => {
    expect(names(index.byExtension('google.protobuf.MethodOptions', 72_295_728, new Set()))?.[0]).toBe(
      'google/api/annotations.proto',
    );
    expect(index.byExtension('google.protobuf.MethodOptions', 1, new Set())).toBeUndefined();
    expect(index.extensionNumbers('google.protobuf.MethodOptions')).toEqual(
      expect.arrayContaining([11_110_001, 72_295_728]),
    );
    expect(index.extensionNumbers('cosmos.bank.v1beta1.MsgSend')).toEqual([]);
    expect(index.extensionNumbers('nope')).toBeUndefined();
  });

  it('both versions of reflection differ only in their names, so that they share their codec', () => {
    const text = (file: typeof v1): string =>
      JSON.stringify(toJson(FileDescriptorProtoSchema, file.proto)).replaceAll('v1alpha', 'v1');
    expect(text(v1alpha)).toBe(text(v1));
  });
});
