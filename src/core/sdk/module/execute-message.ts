import { create, toBinary, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { Context } from './context.js';

/** Executes a message of this application in the given context. Throws SDK error 2 when there is no such message. */
export function execute<Desc extends DescMessage>(
  context: Context,
  schema: Desc,
  message: MessageInitShape<Desc>,
): void {
  context.router.find(`/${schema.typeName}`).handle(context, toBinary(schema, create(schema, message)));
}
