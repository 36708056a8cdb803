/**
 * Precompiles with little gas, compared with evmd: the step at which the gas runs out, and the error, are equal.
 * EVM_SEED repeats a run, and EVM_BLOCKS sets its length.
 */
import { getContractAddress, type Hex, hexToBytes } from 'viem';
import { describe, expect, it } from 'vitest';
import { blockDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { startPair } from '../pair.js';
import { Random } from '../random.js';
import { callData, targets } from './call-data.js';
import { founding } from './genesis.js';
import { Play } from './play.js';
import { deploying } from './signer.js';
import { callOf, deploymentOf } from './transactions.js';
import { wrapped } from './wrappers.js';

const BLOCKS = Number(process.env['EVM_BLOCKS'] ?? 20);
const SEED = Number(process.env['EVM_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
/** Blocks of the player before, so that there is something to ask for. */
const ROUNDS = 6;
const CALLS_EACH = 12;

/** Calls in a way with gas, address and input of its own input, and logs what came back. */
const prober = (opcode: string, value: string): Hex =>
  deploying(`6040360360405f375f5f604036035f${value}6020355f35${opcode}3d5f5f3e3d5fa100`);
const PROBERS: readonly Hex[] = [prober('f1', '5f'), prober('f4', ''), prober('fa', '')];
const word = (value: bigint): string => value.toString(16).padStart(64, '0');

describe.skipIf(EVMD === undefined)('precompiles with little gas, in evmd and in this program', () => {
  it(`have equal results (seed ${SEED})`, { timeout: 60_000 + BLOCKS * 2000 }, async () => {
    const random = new Random(SEED);
    const founded = founding(random);
    const pair = await startPair(EVMD ?? '', founded.genesis, founded.evmChainId);
    const play = new Play(pair, founded, random);
    await play.begin();
    for (let round = 0; round < ROUNDS; round += 1) await play.round();
    const { world } = play;
    const [player] = world.players;
    if (player === undefined) throw new Error('there is a player');
    const probers = PROBERS.map((code) => {
      const at = getContractAddress({ from: player.address, nonce: BigInt(player.nonce) });
      const tx = wrapped(world, deploymentOf(world, player, hexToBytes(code)));
      player.nonce += 1;
      return { at, tx };
    });
    const deployed = await pair.block(probers.map(({ tx }) => tx));
    expect(deployed.theirs.txResults.map(({ code }) => code)).toEqual([0, 0, 0]);
    for (let block = 0; block < BLOCKS; block += 1) {
      const calls = Array.from({ length: CALLS_EACH }, () => {
        const { at } = random.pick(probers);
        const to = random.pick([...targets, ...targets, ...world.tokens.slice(0, 1)]);
        const input = callData(world, to, random.chance(0.7) ? at : player.address);
        const most = random.pick([3_000, 10_000, 30_000, 80_000, 1_000_000]);
        const gas = BigInt(500 + random.below(most));
        const data = hexToBytes(`0x${word(gas)}${word(BigInt(to))}${Buffer.from(input).toString('hex')}`);
        const tx = wrapped(world, callOf(world, player, at, data));
        player.nonce += 1;
        return { tx, about: `${at} calls ${to} with ${gas} gas and ${Buffer.from(input).toString('hex')}` };
      });
      const { ours, theirs } = await pair.block(calls.map(({ tx }) => tx));
      expect(blockDifferences(ours, theirs), calls.map(({ about }) => about).join('\n')).toEqual([]);
    }
    await pair.stop();
  });
});
