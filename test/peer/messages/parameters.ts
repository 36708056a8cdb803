/** The parameters of every module as they are, of which proposals change some. */
import { read } from './wire.js';
import type { Pair } from '../pair.js';
import type { World } from './world.js';

const QUERIES: readonly (readonly [path: string, field: number, type: string])[] = [
  ['cosmos.auth.v1beta1', 1, 'cosmos.auth.v1beta1.Params'],
  ['cosmos.bank.v1beta1', 1, 'cosmos.bank.v1beta1.Params'],
  ['cosmos.distribution.v1beta1', 1, 'cosmos.distribution.v1beta1.Params'],
  ['cosmos.gov.v1', 4, 'cosmos.gov.v1.Params'],
  ['cosmos.mint.v1beta1', 1, 'cosmos.mint.v1beta1.Params'],
  ['cosmos.slashing.v1beta1', 1, 'cosmos.slashing.v1beta1.Params'],
  ['cosmos.staking.v1beta1', 1, 'cosmos.staking.v1beta1.Params'],
  ['cosmos.evm.vm.v1', 1, 'cosmos.evm.vm.v1.Params'],
  ['cosmos.evm.feemarket.v1', 1, 'cosmos.evm.feemarket.v1.Params'],
  ['cosmos.evm.erc20.v1', 1, 'cosmos.evm.erc20.v1.Params'],
];
const CONSENSUS = ['Block', 'Evidence', 'Validator'] as const;

export async function readParams(world: World, ours: Pair['ours']): Promise<void> {
  const ask = async (service: string): Promise<Uint8Array> => {
    const answer = await ours.engine.query({
      path: `/${service}.Query/Params`,
      data: new Uint8Array(),
      height: 0n,
      prove: false,
    } as never);
    return (answer as unknown as { readonly value: Uint8Array }).value;
  };
  for (const [service, no, type] of QUERIES) keep(world, await ask(service), no, type);
  const consensus = read(await ask('cosmos.consensus.v1')).find((field) => field.no === 1);
  if (consensus?.kind !== 'bytes') return;
  for (const [index, name] of CONSENSUS.entries())
    keep(world, consensus.value, index + 1, `tendermint.types.${name}Params`);
}

function keep(world: World, answer: Uint8Array, no: number, type: string): void {
  const found = read(answer).find((field) => field.no === no);
  if (found?.kind === 'bytes') world.params.set(type, found.value);
}
