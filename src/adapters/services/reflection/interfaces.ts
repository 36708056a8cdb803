/**
 * Protobuf interfaces and the messages that implement them (cosmos-sdk v0.53 `InterfaceRegistry` in
 * `codec/types/interface_registry.go`).
 */
import { getOption, hasOption, type DescMessage } from '@bufbuild/protobuf';
import { service as isMsgService } from '../../../core/proto/cosmos/msg/v1/msg_pb.js';
import { implements_interface as implementsInterface } from '../../../core/proto/cosmos_proto/cosmos_pb.js';
import type { ServedFiles } from '../files.js';

/** Implementations that the Go node registers in code instead of by a message option. */
const REGISTERED_IN_CODE: readonly (readonly [string, readonly string[]])[] = [
  ['cosmos.tx.v1beta1.Tx', ['cosmos.tx.v1beta1.Tx']],
  [
    'cosmos.tx.v1beta1.TxExtensionOptionI',
    ['cosmos.evm.vm.v1.ExtensionOptionsEthereumTx', 'cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx'],
  ],
  [
    'cosmos.crypto.PubKey',
    [
      'cosmos.crypto.ed25519.PubKey',
      'cosmos.crypto.secp256k1.PubKey',
      'cosmos.crypto.multisig.LegacyAminoPubKey',
      'cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
    ],
  ],
  ['cosmos.auth.v1beta1.AccountI', ['cosmos.auth.v1beta1.ModuleAccount']],
];

/** Request and response types of every transaction message, sorted by service name. */
export function messagesOf({ services }: ServedFiles): readonly { readonly input: string; readonly output: string }[] {
  const transacting = services.filter(
    (service) => hasOption(service, isMsgService) && getOption(service, isMsgService),
  );
  return transacting.flatMap(({ methods }) =>
    methods.map(({ input, output }) => ({ input: input.typeName, output: output.typeName })),
  );
}

/** Implementations by interface, only of registered messages. */
export function interfacesOf(served: ServedFiles): ReadonlyMap<string, readonly string[]> {
  const interfaces = new Map<string, Set<string>>();
  const add = (name: string, implementation: string): void => {
    if (served.registry.getMessage(implementation) === undefined) return;
    const known = interfaces.get(name) ?? new Set<string>();
    interfaces.set(name, known.add(implementation));
  };
  for (const { input, output } of messagesOf(served)) {
    add('cosmos.base.v1beta1.Msg', input);
    add('cosmos.tx.v1beta1.MsgResponse', output);
  }
  for (const [name, implementations] of REGISTERED_IN_CODE)
    for (const implementation of implementations) add(name, implementation);
  const described: readonly DescMessage[] = served.files.flatMap((file) => file.messages);
  for (const message of described)
    if (hasOption(message, implementsInterface))
      for (const name of getOption(message, implementsInterface)) add(name, message.typeName);
  return new Map([...interfaces].map(([name, implementations]) => [name, [...implementations]]));
}
