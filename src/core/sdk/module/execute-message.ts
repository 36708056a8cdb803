import { create, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { Context } from './context.js';

/** Executes a message in the given context. Throws SDK error 2 for an unknown message type. */
export function execute<Desc extends DescMessage>(
  context: Context,
  schema: Desc,
  message: MessageInitShape<Desc>,
): void {
  context.router.find(`/${schema.typeName}`).handle(context, toBinary(schema, create(schema, message)));
}
