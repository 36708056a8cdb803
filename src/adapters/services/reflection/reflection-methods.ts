/**
 * The SDK's reflection services: `cosmos.base.reflection.v1beta1` (interfaces), `v2alpha1` (the application) and
 * `cosmos.reflection.v1` (descriptors). Unlike gRPC server reflection they are unary.
 */
import { ReflectionService as Interfaces } from '../../../core/proto/cosmos/base/reflection/v1beta1/reflection_pb.js';
import { ReflectionService as Application } from '../../../core/proto/cosmos/base/reflection/v2alpha1/reflection_pb.js';
import { ReflectionService as Descriptors } from '../../../core/proto/cosmos/reflection/v1/reflection_pb.js';
import { onFirstCall } from '../../../core/on-first-call.js';
import type { ServedFiles } from '../files.js';
import { type NodeMethod, type ServiceMethod, unary } from '../method.js';
import { refusal, STATUS } from '../status.js';
import { interfacesOf, messagesOf } from './interfaces.js';

/** Supported sign modes (cosmos.tx.signing.v1beta1.SignMode), in the Go node's order. */
const SIGN_MODES = [
  { name: 'SIGN_MODE_DIRECT', number: 1 },
  { name: 'SIGN_MODE_DIRECT_AUX', number: 3 },
  { name: 'SIGN_MODE_LEGACY_AMINO_JSON', number: 127 },
  { name: 'SIGN_MODE_TEXTUAL', number: 2 },
];

/** Creates the methods of the SDK's reflection services. */
export function reflectionMethods(
  files: ServedFiles,
  served: () => ReadonlyMap<string, ServiceMethod>,
): readonly NodeMethod[] {
  const interfaces = onFirstCall(() => interfacesOf(files));
  const implementers = () =>
    [...interfaces()].map(([fullname, names]) => ({
      fullname,
      interfaceImplementers: names.map((name) => ({ fullname: name, typeUrl: `/${name}` })),
    }));
  const msgs = () => messagesOf(files).map(({ input }) => ({ msgTypeUrl: `/${input}` }));
  const { method } = Application;
  const atAnyHeight = { timeless: true };
  return [
    unary(Interfaces.method.listAllInterfaces, () => good({ interfaceNames: [...interfaces().keys()] })),
    unary(Interfaces.method.listImplementations, ({ interfaceName }) =>
      interfaceName === ''
        ? refusal(STATUS.invalidArgument, 'invalid interface name')
        : good({ implementationMessageNames: (interfaces().get(interfaceName) ?? []).map((name) => `/${name}`) }),
    ),
    unary(method.getAuthnDescriptor, () => good({ authn: { signModes: SIGN_MODES } }), atAnyHeight),
    unary(
      method.getChainDescriptor,
      (_request, { api }) => good({ chain: { id: api.queries.chain.genesis().chainId } }),
      atAnyHeight,
    ),
    unary(method.getCodecDescriptor, () => good({ codec: { interfaces: implementers() } }), atAnyHeight),
    unary(
      method.getConfigurationDescriptor,
      (_request, { facts }) => good({ config: { bech32AccountAddressPrefix: facts.bech32Prefix } }),
      atAnyHeight,
    ),
    unary(
      method.getQueryServicesDescriptor,
      () => good({ queries: { queryServices: queryServices(served()) } }),
      atAnyHeight,
    ),
    unary(method.getTxDescriptor, () => good({ tx: { fullname: 'cosmos.tx.v1beta1.Tx', msgs: msgs() } }), atAnyHeight),
    unary(Descriptors.method.fileDescriptors, () => good({ files: files.files.map(({ proto }) => proto) })),
  ];
}

function good<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

function queryServices(served: ReadonlyMap<string, ServiceMethod>) {
  const services = new Map<
    string,
    {
      readonly fullname: string;
      readonly isModule: boolean;
      readonly methods: { readonly name: string; readonly fullQueryPath: string }[];
    }
  >();
  for (const { path, desc, nodeLevel } of served.values()) {
    const fullname = desc.parent.typeName;
    const service = services.get(fullname) ?? { fullname, isModule: !nodeLevel, methods: [] };
    services.set(fullname, service);
    service.methods.push({ name: desc.name, fullQueryPath: path });
  }
  return [...services.values()];
}
