/**
 * gRPC server reflection, `grpc.reflection.v1` and `v1alpha` (identical but for the name), over the served
 * descriptors.
 */
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Health } from '../../core/proto/grpc/health/v1/health_pb.js';
import {
  ServerReflection as V1,
  type ServerReflectionRequest,
  type ServerReflectionResponseSchema,
} from '../../core/proto/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as V1Alpha } from '../../core/proto/grpc/reflection/v1alpha/reflection_pb.js';
import { pathOf, STATUS, type ServiceTable } from '../services/index.js';
import { codecOf, type RegisteredService, routeOf } from './definition.js';
import { DescriptorIndex } from './descriptor-index.js';
import { type CallHooks, reportCall } from './table-services.js';

type Answer = MessageInitShape<typeof ServerReflectionResponseSchema>;
type Body = NonNullable<Answer['messageResponse']>;

/** Creates both versions of the reflection service. */
export function reflectionServices({ services, files }: ServiceTable, hooks: CallHooks): readonly RegisteredService[] {
  const index = new DescriptorIndex(files);
  const names = [...services.map(({ typeName }) => typeName), Health.typeName, V1.typeName, V1Alpha.typeName].sort();
  const implementation = (path: string) => ({
    ServerReflectionInfo(call: ServerDuplexStream<ServerReflectionRequest, Answer>) {
      /** Files already sent on this stream; each is sent only once. */
      const sent = new Set<string>();
      call.on('data', (request: ServerReflectionRequest) => {
        const messageResponse = answer(request, index, names, sent);
        const { case: kind, value } = messageResponse;
        reportCall(hooks, path, call.metadata)?.(kind === 'errorResponse' ? value.errorCode : undefined);
        const taken = call.write({ validHost: request.host, originalRequest: request, messageResponse });
        if (taken) return;
        call.pause();
        call.once('drain', () => call.resume());
      });
      call.on('end', () => call.end());
    },
  });
  const { serverReflectionInfo: v1 } = V1.method;
  const { serverReflectionInfo: alpha } = V1Alpha.method;
  const codec = codecOf(v1.input, v1.output);
  return [
    { definition: { ServerReflectionInfo: { ...routeOf(v1), ...codec } }, implementation: implementation(pathOf(v1)) },
    // The messages of both versions have the same encoding.
    {
      definition: { ServerReflectionInfo: { ...routeOf(alpha), ...codec } },
      implementation: implementation(pathOf(alpha)),
    },
  ];
}

function answer(
  { messageRequest: query }: ServerReflectionRequest,
  index: DescriptorIndex,
  services: readonly string[],
  sent: Set<string>,
): Body {
  switch (query.case) {
    case 'fileByFilename':
      return fileAnswer(index.byName(query.value, sent), `unknown file: ${query.value}`);
    case 'fileContainingSymbol':
      return fileAnswer(index.bySymbol(query.value, sent), `unknown symbol: ${query.value}`);
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = query.value;
      return fileAnswer(
        index.byExtension(containingType, extensionNumber, sent),
        `unknown extension: ${containingType} ${extensionNumber}`,
      );
    }
    case 'allExtensionNumbersOfType': {
      const extensionNumber = index.extensionNumbers(query.value);
      return extensionNumber === undefined
        ? notFound(`unknown type: ${query.value}`)
        : { case: 'allExtensionNumbersResponse', value: { baseTypeName: query.value, extensionNumber } };
    }
    case 'listServices':
      return { case: 'listServicesResponse', value: { service: services.map((name) => ({ name })) } };
    case undefined:
      return {
        case: 'errorResponse',
        value: { errorCode: STATUS.invalidArgument, errorMessage: 'invalid message request' },
      };
  }
}

function fileAnswer(fileDescriptorProto: Uint8Array[] | undefined, otherwise: string): Body {
  return fileDescriptorProto === undefined
    ? notFound(otherwise)
    : { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function notFound(errorMessage: string): Body {
  return { case: 'errorResponse', value: { errorCode: STATUS.notFound, errorMessage } };
}
