import { asObject } from '../../core/text/json-object.js';
import { DEV_BASE_DENOM } from '../../core/genesis/dev-chain.js';
import { Query } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { ask } from '../client/app-query.js';
import { type CoinAmount, type GasPrice, parseCoins, parseGasPrice, type Unit, type Units } from './coins.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError, RefusedByApplication } from '../command-error.js';
import { refuseUnknownCoins } from './unknown-coin.js';

const NO_UNITS: Units = new Map();
const BASE_ONLY = new RegExp(`^ *[0-9]+${DEV_BASE_DENOM} *(, *[0-9]+${DEV_BASE_DENOM} *)*$`);

const BASE_PRICE = new RegExp(`^ *[0-9.]+${DEV_BASE_DENOM} *$`);

/**
 * Parses typed coins into base denoms. Other units come from the node's denom metadata, and a denom that the chain
 * does not know is rejected. Offline every name is taken as a base denom.
 */
export async function coinsOfNode(
  { rpc }: Pick<CommandContext, 'rpc'>,
  text: string,
  what: string,
): Promise<readonly CoinAmount[]> {
  // The common case needs no query.
  if (rpc.offline || BASE_ONLY.test(text)) return parseCoins(text, what, NO_UNITS);
  const units = await unitsOfNode(rpc);
  const coins = parseCoins(text, what, units);
  await refuseUnknownCoins(rpc, coins, units, what);
  return coins;
}

/** Like `coinsOfNode`, and every amount must be positive. */
export async function someCoinsOfNode(
  context: Pick<CommandContext, 'rpc'>,
  text: string,
  what: string,
): Promise<readonly CoinAmount[]> {
  const coins = await coinsOfNode(context, text, what);
  if (coins.some(({ amount }) => amount === 0n))
    throw new CommandError(EXIT.usage, `${what}: must be positive, got ${JSON.stringify(text)}`);
  return coins;
}

/** Parses a typed gas price into a base denom, with the units of the node's denom metadata. */
export async function gasPriceOfNode({ rpc }: Pick<CommandContext, 'rpc'>, text: string): Promise<GasPrice> {
  if (rpc.offline || BASE_PRICE.test(text)) return parseGasPrice(text, NO_UNITS);
  const units = await unitsOfNode(rpc);
  const price = parseGasPrice(text, units);
  await refuseUnknownCoins(rpc, [price], units, '--gas-prices');
  return price;
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

/** Units from a genesis document (`app_state.bank.denom_metadata`). */
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
