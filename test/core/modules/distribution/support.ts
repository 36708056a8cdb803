/** Contexts over the recorded state of golden chain-a, to call modules outside of a block. */
import { create, createRegistry, toJsonString, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import { Contexts } from '../../../../src/core/app/contexts.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { file_cosmos_slashing_v1beta1_tx } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { encodeAddress, moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { MessageRouter } from '../../../../src/core/sdk/module/message-router.js';
import type { GenesisFacts, Module } from '../../../../src/core/sdk/module/module.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import type { StateWrite } from '../../../../src/core/state/state.js';
import { goldenPath } from '../../../support/golden.js';
import { chain } from '../../app/recorded-evm.js';
import { crypto, stateOf, toHex } from '../../app/support.js';
import { recordedWrites } from '../../app/recorded-state.js';
import { encode } from '../../../support/encode.js';

/** After the last block of the recorded scenario, and after the last block of the chain. */
export type RecordedHeight = 224n | 715n;

/** A context of the block after `height`, over the state of that height. */
export function recordedContext(height: RecordedHeight): Context {
  const later = height === 715n ? recordedWrites('state-000715.delta') : [];
  return contextOver([...recordedWrites('state-000224'), ...later], height + 1n);
}

/** A context over exactly these entries. */
export function contextOver(entries: readonly StateWrite[], height = 1n): Context {
  const contexts = new Contexts({ version: evmd, chain, crypto, router: new MessageRouter(evmd) });
  return contexts.of({ chainId: '9001', height: toHeight(height), time: toTimeNs(0n) }, stateOf(entries), 'block');
}

/** A module's store, as hexadecimal texts. */
export function entriesIn({ store }: Context, name: string): readonly (readonly [string, string])[] {
  return Array.from(store.range(name, { start: new Uint8Array(0) }), ({ key, value }) => [toHex(key), toHex(value)]);
}

/** A module's section in what the recorded node exported after its last block. */
export function exportedSection(module: string): unknown {
  const exported: { readonly app_state: Readonly<Record<string, unknown>> } = JSON.parse(
    readFileSync(goldenPath('chain-a/export-at-715.json'), 'utf8'),
  );
  return exported.app_state[module];
}

export const GOVERNANCE = encodeAddress('cosmos', moduleAddress(crypto, 'gov'));

/** Facts of a genesis without parameters of consensus and without transactions. */
export const FACTS = {
  initialHeight: 1n,
  consensusParams: { $typeName: 'tendermint.types.ConsensusParams' },
  deliver: () => undefined,
} as const satisfies GenesisFacts;

/** Executes a message; codespace, code and text when it fails. */
export function refusal<Desc extends DescMessage>(
  context: Context,
  { messages }: Module,
  schema: Desc,
  message: MessageInitShape<Desc>,
): readonly [codespace: string, code: number, text: string] | undefined {
  const handler = messages.find(({ typeUrl }) => typeUrl === `/${schema.typeName}`);
  try {
    handler?.handle(context, encode(schema, message));
  } catch (error) {
    if (error instanceof SdkError) return [error.registered.codespace, error.registered.code, error.message];
    throw error;
  }
  return undefined;
}

/** Makes rows for tables of tests: the title of a message, and its refusal. */
export function sends(
  module: Module,
): <Desc extends DescMessage>(
  schema: Desc,
  message: MessageInitShape<Desc>,
) => { readonly title: string; readonly refusal: (context: Context) => ReturnType<typeof refusal> } {
  const registry = createRegistry(...(module.types ?? []), file_cosmos_slashing_v1beta1_tx);
  return (schema, message) => ({
    title: `${schema.name} ${toJsonString(schema, create(schema, message), { registry })}`,
    refusal: (context) => refusal(context, module, schema, message),
  });
}
