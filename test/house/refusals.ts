/** Reads from the sources of core which errors are registered and what is refused with them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'rolldown/experimental';

const core = join(import.meta.dirname, '../../src/core');

/** A registered error, and where its codespace, code and text stand. */
export interface Definition {
  readonly codespace: string;
  readonly code: number;
  readonly text: string;
  readonly file: string;
}

/** A place that refuses. `text`: what precedes the registered text, with `<...>` for what is filled in. */
export interface Refusal {
  readonly file: string;
  readonly error: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const nodeAt = (node: Node | undefined, field: string): Node | undefined => {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
};
const literal = (node: Node | undefined): unknown => (node?.type === 'Literal' ? node['value'] : undefined);
const nameOf = (node: Node | undefined): string => {
  const name = node?.['name'] ?? literal(node);
  return typeof name === 'string' ? name : '';
};

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* walk(one);
  else if (isNode(value)) {
    yield value;
    for (const field of Object.keys(value)) if (typeof value[field] === 'object') yield* walk(value[field]);
  }
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly nodes: readonly Node[];
}

function sources(): readonly Source[] {
  return readdirSync(core, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('proto'))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(core, file), 'utf8');
      if (
        !/SdkError|RegisteredError|plainError|invalidRequest|grpcError|RecoveredPanic|wrapped|wrapping|codespace:/.test(
          text,
        )
      )
        return [];
      return {
        file: file.replaceAll('\\', '/'),
        text,
        nodes: [...walk(parseSync(file, text, { lang: 'ts', preserveParens: false }).program)],
      };
    });
}

/** Properties of an object literal by name. */
function fieldsOf(node: Node | undefined): ReadonlyMap<string, Node> {
  return new Map(
    nodesIn(node?.['properties']).flatMap((property) => {
      const value = nodeAt(property, 'value');
      return value === undefined ? [] : [[nameOf(nodeAt(property, 'key')), value] as const];
    }),
  );
}

/** The error that an expression registers; `factories`: functions of code and text, with their codespaces. */
function registered(
  node: Node | undefined,
  factories: ReadonlyMap<string, string>,
): Omit<Definition, 'file'> | undefined {
  if (node === undefined) return undefined;
  if (/^TS(As|Satisfies)Expression$/.test(node.type)) return registered(nodeAt(node, 'expression'), factories);
  const call = node.type === 'CallExpression' ? factories.get(nameOf(nodeAt(node, 'callee'))) : undefined;
  const fields = fieldsOf(node);
  const [first, second] = nodesIn(node['arguments']);
  const codespace = call ?? literal(fields.get('codespace'));
  const code = literal(call === undefined ? fields.get('code') : first);
  const text = literal(call === undefined ? fields.get('text') : second);
  return typeof codespace === 'string' && typeof code === 'number' && typeof text === 'string'
    ? { codespace, code, text }
    : undefined;
}

function factoriesOf({ nodes }: Source): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap((node) => {
      const fields = fieldsOf(nodeAt(nodeAt(node, 'init'), 'body'));
      const codespace = literal(fields.get('codespace'));
      return node.type === 'VariableDeclarator' &&
        typeof codespace === 'string' &&
        fields.get('code')?.type === 'Identifier'
        ? [[nameOf(nodeAt(node, 'id')), codespace] as const]
        : [];
    }),
  );
}

type Named = ReadonlyMap<string, Omit<Definition, 'file'>>;

/** Errors of a file by the names that the file gives them: `errors.noGrant`, or `INVALID_SIGNER`. */
function namedIn(source: Source): Named {
  const factories = factoriesOf(source);
  const named = new Map<string, Omit<Definition, 'file'>>();
  for (const node of source.nodes) {
    if (node.type !== 'VariableDeclarator') continue;
    const init = nodeAt(node, 'init');
    const object = /^TS/.test(init?.type ?? '') ? innermost(init) : init;
    const own = registered(init, factories);
    if (own !== undefined) named.set(nameOf(nodeAt(node, 'id')), own);
    else
      for (const [field, value] of fieldsOf(object)) {
        const one = registered(value, factories);
        if (one !== undefined) named.set(`${nameOf(nodeAt(node, 'id'))}.${field}`, one);
      }
  }
  return named;
}

function innermost(node: Node | undefined): Node | undefined {
  return /^TS/.test(node?.type ?? '') ? innermost(nodeAt(node, 'expression')) : node;
}

/** Names of this file and, under the names that it gives them, those of what it imports. */
function namesOf(source: Source, byFile: ReadonlyMap<string, Named>): Named {
  const names = new Map(byFile.get(source.file));
  for (const node of source.nodes) {
    if (node.type !== 'ImportDeclaration') continue;
    const from = String(literal(nodeAt(node, 'source'))).replace(/\.js$/, '.ts');
    const file = relative(core, join(core, dirname(source.file), from)).replaceAll('\\', '/');
    for (const specifier of nodesIn(node['specifiers'])) {
      const [imported, local] = [nameOf(nodeAt(specifier, 'imported')), nameOf(nodeAt(specifier, 'local'))];
      for (const [name, error] of byFile.get(file) ?? [])
        if (name.split('.')[0] === imported) names.set(name.replace(imported, local), error);
    }
  }
  return names;
}

const PLACES = new Set([
  'SdkError',
  'plainError',
  'invalidRequest',
  'grpcError',
  'RecoveredPanic',
  'wrapped',
  'wrapping',
]);
/** Calls whose first argument is the text. */
const TEXT_FIRST = new Set(['plainError', 'invalidRequest', 'RecoveredPanic', 'wrapping']);
/** The files that make errors out of these. */
const MAKERS = new Set(['sdk/module/sdk-error.ts', 'sdk/module/returned-error.ts']);

/** A name for what an expression fills in: its last identifier, and what has the length. */
function filledIn({ text }: Source, node: Node): string {
  const names = text.slice(node.start, node.end).match(/(?!toString)[A-Za-z_]\w*/g) ?? [];
  return `<${names.slice(names.at(-1) === 'length' ? -2 : -1).join(' ')}>`;
}

/** The texts that an expression may have, with `<name>` for what is filled in. */
function textsOf(source: Source, node: Node | undefined): readonly string[] {
  const value = literal(node);
  if (node === undefined) return [''];
  if (typeof value === 'string') return [value];
  const [left, right] = ['left', 'right'].map((side) => textsOf(source, nodeAt(node, side)));
  switch (node.type) {
    case 'ConditionalExpression':
      return ['consequent', 'alternate'].flatMap((side) => textsOf(source, nodeAt(node, side)));
    case 'BinaryExpression':
      return left?.flatMap((begin) => right?.map((end) => begin + end) ?? []) ?? [];
    case 'TemplateLiteral':
      return [templateText(source, node)];
    case 'Identifier':
      return argumentsOf(source, node) ?? [filledIn(source, node)];
    default:
      return [filledIn(source, node)];
  }
}

function templateText(source: Source, node: Node): string {
  const expressions = nodesIn(node['expressions']);
  return nodesIn(node['quasis'])
    .map((part, index) => {
      const text = source.text
        .slice(part.start, part.end)
        .replace(/^[`}]|`$|\$\{$/g, '')
        .replace(/\\(.)/g, '$1');
      const expression = expressions[index];
      return expression === undefined ? text : text + filledIn(source, expression);
    })
    .join('');
}

const isFunction = ({ type }: Node): boolean => /^(ArrowFunctionExpression|FunctionDeclaration)$/.test(type);

/** Texts with which the function around a place is called in its file, for a place whose text is a parameter. */
function argumentsOf(source: Source, node: Node): readonly string[] | undefined {
  const around = source.nodes.findLast(
    (one) =>
      isFunction(one) &&
      one.start <= node.start &&
      node.end <= one.end &&
      nodesIn(one['params']).some((param) => nameOf(param) === nameOf(node)),
  );
  if (around === undefined) return undefined;
  const declared = source.nodes.find(({ type, ...one }) => type === 'VariableDeclarator' && one['init'] === around);
  const name = nameOf(nodeAt(declared ?? around, 'id'));
  const position = nodesIn(around['params']).findIndex((param) => nameOf(param) === nameOf(node));
  const calls = source.nodes.filter(
    (one) => one.type === 'CallExpression' && name !== '' && nameOf(nodeAt(one, 'callee')) === name,
  );
  return calls.length === 0 ? undefined : calls.flatMap((one) => textsOf(source, nodesIn(one['arguments'])[position]));
}

function refusalsIn(source: Source, names: Named): readonly Refusal[] {
  const factories = factoriesOf(source);
  const { file } = source;
  return source.nodes.flatMap((node) => {
    const kind = nameOf(nodeAt(node, 'callee'));
    if (!/^(New|Call)Expression$/.test(node.type) || !PLACES.has(kind) || MAKERS.has(file)) return [];
    const [first, second] = nodesIn(node['arguments']);
    const error = errorOf(source, kind, first, names, factories);
    const detail = TEXT_FIRST.has(kind) ? first : second;
    const before = kind === 'RecoveredPanic' ? 'recovered: ' : '';
    return textsOf(source, detail).map((text) => ({ file, error, text: before + text }));
  });
}

function errorOf(
  source: Source,
  kind: string,
  first: Node | undefined,
  names: Named,
  factories: ReadonlyMap<string, string>,
): string {
  if (kind === 'plainError') return 'undefined 1';
  if (kind === 'invalidRequest') return 'sdk 18';
  if (kind === 'wrapped' || kind === 'wrapping') return 'as its cause';
  if (kind === 'RecoveredPanic') return 'undefined 111222';
  if (kind === 'grpcError') return `query: ${String(literal(first))}`;
  const shown = first === undefined ? '' : source.text.slice(first.start, first.end);
  const error = names.get(shown) ?? registered(first, factories);
  return error === undefined ? 'as its cause' : `${error.codespace} ${error.code}`;
}

/** Every registered error and every place that refuses, in order of files. */
export function readRefusals(): { readonly definitions: readonly Definition[]; readonly refusals: readonly Refusal[] } {
  const all = sources();
  const byFile = new Map(all.map((source) => [source.file, namedIn(source)]));
  const inline = (source: Source): readonly Definition[] => {
    const factories = factoriesOf(source);
    return source.nodes.flatMap((node) => {
      const one = registered(node, factories);
      return one === undefined || /^TS/.test(node.type) ? [] : { ...one, file: source.file };
    });
  };
  return {
    definitions: all.flatMap(inline),
    refusals: all.flatMap((source) => refusalsIn(source, namesOf(source, byFile))),
  };
}
