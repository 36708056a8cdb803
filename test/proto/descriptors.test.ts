/**
 * proto/ is the single source: the generated code is buf's output for it, and both agree with the descriptors of a
 * recorded node in names, numbers, types, labels and options (routes, signers, Amino names, nullability).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  clone,
  createRegistry,
  type DescFile,
  type DescMessage,
  fromBinary,
  fromJson,
  getOption,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { name as aminoName } from '../../src/core/proto/amino/amino_pb.js';
import { file_cosmos_auth_v1beta1_query as authQuery } from '../../src/core/proto/cosmos/auth/v1beta1/query_pb.js';
import { file_cosmos_bank_v1beta1_tx as bankTx } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { signer } from '../../src/core/proto/cosmos/msg/v1/msg_pb.js';
import { module_query_safe as moduleQuerySafe } from '../../src/core/proto/cosmos/query/v1/query_pb.js';
import { nullable } from '../../src/core/proto/gogoproto/gogo_pb.js';
import { http } from '../../src/core/proto/google/api/annotations_pb.js';
import { goldenLines, goldenPath, hasGolden } from '../support/golden.js';
import { temporaryFolder } from '../support/temporary.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const generatedRoot = join(root, 'src', 'core', 'proto');
const scratch = temporaryFolder();

/** Runs the installed buf in the repository; the plugin is found as npm scripts find it. */
function buf(...args: readonly string[]): void {
  const bin = join(root, 'node_modules', '.bin');
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    BUF_CACHE_DIR: join(scratch, 'cache'),
  };
  execFileSync(join(bin, 'buf'), args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Paths below a directory that end like this, sorted, with `/` between their parts. */
function filesBelow(directory: string, ending: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(ending))
    .sort();
}

function isDescFile(value: unknown): value is DescFile {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file';
}

async function descriptorOf(path: string): Promise<DescFile> {
  const module: unknown = await import(join(generatedRoot, path));
  const file = Object.values(Object(module)).find(isDescFile);
  if (file === undefined) throw new Error(`${path} exports no file descriptor`);
  return file;
}

const generatedPaths = filesBelow(generatedRoot, '_pb.ts');
const generated = await Promise.all(generatedPaths.map(descriptorOf));
const registry = createRegistry(...generated);

const GOGO = 'gogoproto/gogo.proto';

function withoutDefaultJsonName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('jsonName' in value)) return value;
  const { jsonName, ...rest } = value;
  return jsonName === protoCamelCase(String(value.name)) ? rest : value;
}

/**
 * The content of a descriptor, independent of the order of its bytes: its JSON, where extensions have names. Left out,
 * because they carry no information: the default JSON names, an options message without options, the spelling of
 * proto2, and gogoproto's `..._all` options, which the Go generator of some packages adds even to files that do not
 * import them.
 */
function meaning(file: FileDescriptorProto): unknown {
  const json = toJson(FileDescriptorProtoSchema, file, { registry });
  return JSON.parse(JSON.stringify(json), (key, value: unknown) => {
    if (key === 'syntax' && value === 'proto2') return undefined;
    if (key.startsWith('[gogoproto.') && key.endsWith('_all]')) return undefined;
    if (key === 'options' && JSON.stringify(value) === '{}') return undefined;
    return withoutDefaultJsonName(value);
  });
}

function message(file: DescFile, name: string): DescMessage {
  const found = file.messages.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${file.name} has no ${name}`);
  return found;
}

describe('generated code', () => {
  test('has one file for each file of proto/', () => {
    const sources = filesBelow(join(root, 'proto'), '.proto');
    expect(sources.length).toBeGreaterThan(0);
    expect(generatedPaths).toEqual(sources.map((path) => path.replace(/\.proto$/, '_pb.ts')).sort());
  });

  test('equals the output of buf for proto/ byte for byte (else: npm run proto)', () => {
    buf('generate', '-o', scratch);
    const fresh = join(scratch, 'src', 'core', 'proto');
    expect(filesBelow(fresh, '_pb.ts')).toEqual(generatedPaths);
    const stale = generatedPaths.filter(
      (path) => readFileSync(join(fresh, path), 'utf8') !== readFileSync(join(generatedRoot, path), 'utf8'),
    );
    expect(stale).toEqual([]);
  });

  test.each(generatedPaths)('says in %s that it is generated', (path) => {
    expect(readFileSync(join(generatedRoot, path), 'utf8')).toMatch(/^\/\/ @generated by protoc-gen-es v/m);
  });

  test('has readable options: signer, Amino name, nullability, route, query safety', () => {
    const send = message(bankTx, 'MsgSend');
    expect(getOption(send, signer)).toEqual(['from_address']);
    expect(getOption(send, aminoName)).toBe('cosmos-sdk/MsgSend');
    const amount = send.fields.find((field) => field.name === 'amount');
    expect(amount && getOption(amount, nullable)).toBe(false);
    const account = authQuery.services[0]?.methods.find((method) => method.name === 'Account');
    expect(account && getOption(account, http).pattern).toEqual({
      case: 'get',
      value: '/cosmos/auth/v1beta1/accounts/{address}',
    });
    expect(account && getOption(account, moduleQuerySafe)).toBe(true);
  });
});

describe.skipIf(!hasGolden)('descriptors of a recorded node', () => {
  const recorded = hasGolden
    ? fromBinary(FileDescriptorSetSchema, readFileSync(goldenPath('descriptors/evmd-0.6.0.fds.binpb'))).file
    : [];
  const byName = new Map([...recorded, ...reflectionFile()].map((file) => [file.name, file]));
  /**
   * Descriptors that the recorded node lacks: module_query_safe, whose number is known from the options of its methods;
   * names that it does not serve, the module crisis, and those of chronicle itself.
   */
  const undescribed =
    /^(cosmos\/(query\/v1\/query|crisis\/.*)|sdk\/.*|ethermint\/.*|evmos\/.*|chronicle\/.*|grpc\/health\/.*|grpc\/reflection\/v1\/.*)\.proto$/;
  const compared = generated.filter((file) => !undescribed.test(file.proto.name));

  /** The older reflection of gRPC, as the node's reflection described it, without the options for other languages. */
  function reflectionFile(): readonly FileDescriptorProto[] {
    if (!hasGolden) return [];
    return goldenLines<{ file: string; descriptor_b64: string }>('faces/grpc-descriptors.jsonl')
      .filter(({ file }) => file === 'grpc/reflection/v1alpha/reflection.proto')
      .map(({ descriptor_b64: encoded }) => {
        const file = fromBinary(FileDescriptorProtoSchema, Buffer.from(encoded, 'base64'));
        delete file.options;
        return file;
      });
  }

  function recordedFile(name: string): FileDescriptorProto {
    const file = byName.get(name);
    if (file === undefined) throw new Error(`the recorded node has no ${name}`);
    const copy = clone(FileDescriptorProtoSchema, file);
    // The recorded file uses options of gogoproto without importing them, which no source text can do.
    if (name === 'cosmos/ics23/v1/proofs.proto') copy.dependency.push(GOGO);
    return copy;
  }

  test('cover the same files as the generated code', () => {
    expect(compared.filter((file) => !byName.has(file.proto.name))).toEqual([]);
    expect([...byName.keys()].filter((name) => undescribed.test(name))).toEqual([]);
  });

  test.each(compared.map((file) => [file.proto.name, file] as const))(
    'equal the generated descriptor of %s',
    (name, file) => {
      expect(meaning(file.proto)).toEqual(meaning(recordedFile(name)));
    },
  );

  test.each(compared.map((file) => file.proto.name))('have no option in %s that proto/ does not declare', (name) => {
    const file = recordedFile(name);
    const kept = fromJson(FileDescriptorProtoSchema, toJson(FileDescriptorProtoSchema, file, { registry }), {
      registry,
    });
    expect(toBinary(FileDescriptorProtoSchema, kept).length).toBe(toBinary(FileDescriptorProtoSchema, file).length);
  });

  test('equal proto/ as built by buf', () => {
    const image = join(scratch, 'image.binpb');
    buf('build', 'proto', '--as-file-descriptor-set', '--exclude-imports', '--exclude-source-info', '-o', image);
    const built = fromBinary(FileDescriptorSetSchema, readFileSync(image)).file.filter(
      (file) => !undescribed.test(file.name),
    );
    expect(built.map((file) => file.name).sort()).toEqual(compared.map((file) => file.proto.name).sort());
    for (const file of built) expect(meaning(file), file.name).toEqual(meaning(recordedFile(file.name)));
  });
});
