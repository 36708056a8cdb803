import { getOption, hasOption } from '@bufbuild/protobuf';
import { KNOWN_TYPES } from '../../core/sdk/codec/known-types.js';
import { implements_interface } from '../../core/proto/cosmos_proto/cosmos_pb.js';

const MESSAGES = 'cosmos.base.v1beta1.Msg';

/**
 * The protobuf interfaces of the application with the type URLs that implement each, from the options of the proto
 * files. Transaction messages are under `Msg`.
 */
export const INTERFACES: Readonly<Record<string, readonly string[]>> = collect();

function collect(): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const note = (name: string, typeUrl: string): void => void found.set(name, [...(found.get(name) ?? []), typeUrl]);
  for (const type of KNOWN_TYPES) {
    if (type.kind !== 'message') continue;
    if (hasOption(type, implements_interface))
      for (const name of getOption(type, implements_interface)) note(name, `/${type.typeName}`);
    if (/\.Msg[A-Z][A-Za-z0-9]*$/.test(type.typeName) && !type.typeName.endsWith('Response'))
      note(MESSAGES, `/${type.typeName}`);
  }
  return Object.fromEntries(
    [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, urls]) => [name, urls.toSorted()]),
  );
}
