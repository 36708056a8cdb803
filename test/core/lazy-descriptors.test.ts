import { create, toBinary, type DescFile, type DescMessage } from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { enumDesc, extDesc, fileDesc, messageDesc, serviceDesc } from '../../src/core/lazy-descriptors.js';
import { servedFiles } from '../../src/adapters/services/files.js';

const { files } = servedFiles();
const lazy = new Map<string, DescFile>();
for (const file of files) {
  const imports = file.dependencies.map(({ name }) => lazy.get(name) ?? file);
  lazy.set(file.name, fileDesc(base64Encode(toBinary(FileDescriptorProtoSchema, file.proto)), imports));
}
const lazyOf = (file: DescFile): DescFile => lazy.get(file.name) ?? file;

const shown = ({ fields, members, nestedMessages, nestedEnums, name, parent }: DescMessage): object => ({
  name,
  parent: parent?.typeName,
  members: members.map((member) => member.toString()),
  nestedMessages: nestedMessages.map(({ typeName }) => typeName),
  nestedEnums: nestedEnums.map(({ typeName }) => typeName),
  fields: fields.map(({ localName, jsonName, number, fieldKind, message, enum: of, scalar, presence }) => [
    localName,
    jsonName,
    number,
    fieldKind,
    message?.typeName,
    of?.typeName,
    scalar,
    presence,
  ]),
});

describe('descriptors that are made when they are looked into', () => {
  it('are those of the library for every file of the services', () => {
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      for (const [index, message] of file.messages.entries()) {
        const made = messageDesc(lazyOf(file), index);
        expect(made.typeName).toBe(message.typeName);
        expect(shown(made)).toEqual(shown(message));
        expect(create(made)).toEqual(create(message));
        for (const [place, nested] of message.nestedMessages.entries())
          expect(shown(messageDesc(lazyOf(file), index, place))).toEqual(shown(nested));
        for (const [place, nested] of message.nestedEnums.entries())
          expect(enumDesc(lazyOf(file), index, place).typeName).toBe(nested.typeName);
      }
      for (const [index, { typeName, values }] of file.enums.entries()) {
        const made = enumDesc(lazyOf(file), index);
        expect([made.typeName, made.values.map((value) => value.toString())]).toEqual([
          typeName,
          values.map((value) => value.toString()),
        ]);
      }
      for (const [index, { typeName, methods }] of file.services.entries()) {
        const made = serviceDesc(lazyOf(file), index);
        expect([
          made.typeName,
          made.methods.map(({ name, input, output }) => [name, input.typeName, output.typeName]),
        ]).toEqual([typeName, methods.map(({ name, input, output }) => [name, input.typeName, output.typeName])]);
      }
      for (const [index, { typeName, extendee }] of file.extensions.entries()) {
        const made = extDesc(lazyOf(file), index);
        expect([made.typeName, made.extendee.typeName]).toEqual([typeName, extendee.typeName]);
      }
    }
  });

  it('know their imports, and the imports of those', () => {
    const names = (file: DescFile, deep: number): unknown =>
      deep === 0 ? file.name : [file.name, file.dependencies.map((each) => names(each, deep - 1))];
    for (const file of files) expect(names(lazyOf(file), 4)).toEqual(names(file, 4));
  });

  it('tell the name of a type without making the file', () => {
    const whole = files.find(({ name }) => name === 'cosmos/staking/v1beta1/tx') ?? expect.fail();
    // without its imports it cannot be made
    const file = fileDesc(base64Encode(toBinary(FileDescriptorProtoSchema, whole.proto)));
    const made = messageDesc(file, 0);
    expect(made.typeName).toBe(whole.messages[0]?.typeName);
    expect(() => made.fields).toThrow();
  });
});
