import { asObject } from '../../core/json-object.js';
import { DEV_BASE_DENOM } from '../../core/genesis/dev-chain.js';
import { Query } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { ask } from './app-query.js';
import { type CoinAmount, type GasPrice, parseCoins, parseGasPrice, type Unit, type Units } from './coins.js';
import type { CommandContext } from './context.js';
import { RefusedByApplication } from './exit-codes.js';

const NO_UNITS: Units = new Map();
const BASE_ONLY = new RegExp(`^ *[0-9]+${DEV_BASE_DENOM} *(, *[0-9]+${DEV_BASE_DENOM} *)*$`);

const BASE_PRICE = new RegExp(`^ *[0-9.]+${DEV_BASE_DENOM} *$`);

/**
 * Coins as typed, in base denoms: other units are those of the node's metadata of denoms. Without a node (`--offline`)
 * every name is a base denom.
 */
export async function coinsOfNode(
  { rpc }: Pick<CommandContext, 'rpc'>,
  text: string,
  what: string,
): Promise<readonly CoinAmount[]> {
  // The common case needs no question.
  const isKnown = rpc.offline || BASE_ONLY.test(text);
  return parseCoins(text, what, isKnown ? NO_UNITS : await unitsOfNode(rpc));
}

/** A gas price as typed, in a base denom, with the units that `coinsOfNode` knows. */
export async function gasPriceOfNode({ rpc }: Pick<CommandContext, 'rpc'>, text: string): Promise<GasPrice> {
  const isKnown = rpc.offline || BASE_PRICE.test(text);
  return parseGasPrice(text, isKnown ? NO_UNITS : await unitsOfNode(rpc));
}

async function unitsOfNode(rpc: CommandContext['rpc']): Promise<Units> {
  const { input, output } = Query.method.denomsMetadata;
  try {
    const { metadatas } = await ask(rpc, '/cosmos.bank.v1beta1.Query/DenomsMetadata', input, {}, output);
    return unitsIn(metadatas);
  } catch (error) {
    // A chain without the bank module's metadata has only base denoms.
    if (error instanceof RefusedByApplication) return NO_UNITS;
    throw error;
  }
}

/** Units of the metadata in a genesis document (`app_state.bank.denom_metadata`). */
export function unitsOfGenesis(metadata: unknown): Units {
  if (!Array.isArray(metadata)) return NO_UNITS;
  return unitsIn(
    metadata.map((entry: unknown) => {
      const { base, denom_units: units } = asObject(entry) ?? {};
      const list: readonly unknown[] = Array.isArray(units) ? units : [];
      return {
        base: String(base),
        denomUnits: list.map((unit) => {
          const { denom, exponent } = asObject(unit) ?? {};
          return { denom: String(denom), exponent: Number(exponent), aliases: [] };
        }),
      };
    }),
  );
}

interface Metadata {
  readonly base: string;
  readonly denomUnits: readonly {
    readonly denom: string;
    readonly exponent: number;
    readonly aliases: readonly string[];
  }[];
}

function unitsIn(metadata: readonly Metadata[]): Units {
  return new Map(
    metadata.flatMap(({ base, denomUnits }) =>
      denomUnits.flatMap(({ denom, exponent, aliases }) =>
        [denom, ...aliases].map((name): readonly [string, Unit] => [name, { base, exponent }]),
      ),
    ),
  );
}
