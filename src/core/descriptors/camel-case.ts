import { protoCamelCase } from '@bufbuild/protobuf/reflect';

/**
 * The name of a field or a oneof in JSON; in code, too, where JavaScript has no such name (protobuf.dev, "JSON
 * format").
 */
export function camelCase(name: string): string {
  return name.includes('_') ? protoCamelCase(name) : name;
}
