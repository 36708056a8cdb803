/** A validator that signs two votes of one height: CometBFT verifies the evidence, and the application slashes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromHex } from '../../src/core/bytes/hex.js';
import { asObject } from '../../src/core/text/json-object.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { call } from '../e2e/comet-client.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, makeNetwork, until } from './cometbft.js';
import { genesisOf, Validator } from './validators.js';

/** The honest validator can commit alone, so that the chain continues. */
const [HONEST, OFFENDER] = [100n, 40n];
const CHR = 10n ** 18n;

/** Answer of a REST path; undefined if it is not found. */
async function rest({ endpoints }: Validator, path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await fetch(`${endpoints.rest}${path}`);
  return response.ok ? asObject(await response.json()) : undefined;
}

describe.skipIf(!hasCometbft())('a validator that signs two votes of one height', () => {
  test(
    'is slashed and tombstoned on every node when CometBFT gets the evidence, and the chain goes on',
    { timeout: 120_000 },
    async () => {
      const machines = await makeNetwork(2, (homes) => genesisOf(homes, [HONEST, OFFENDER]));
      const nodes = await Promise.all(machines.map((machine) => Validator.start(machine)));
      const [honest, offender] = machines;
      const [witness] = nodes;
      if (honest === undefined || offender === undefined || witness === undefined) throw new Error('two machines');
      await Promise.all(nodes.map((node) => node.reached(3)));
      const key = join(offender.home, 'config', 'priv_validator_key.json');
      chronicled('debug', 'double-sign', key, '--node', honest.rpc.replace('http', 'tcp'));

      const { address }: { readonly address: string } = JSON.parse(readFileSync(key, 'utf8'));
      const name = encodeAddress('chronvalcons', fromHex(address.toLowerCase()));
      const signed = `/cosmos/slashing/v1beta1/signing_infos/${name}`;
      const punished = await until(async () => {
        const info = asObject((await rest(witness, signed))?.['val_signing_info']);
        return info?.['tombstoned'] === true && info;
      });
      expect(punished).toMatchObject({ jailed_until: '9999-12-31T23:59:59Z' });
      const height = (await witness.height()) + 3;
      await Promise.all(nodes.map((node) => node.reached(height)));

      const proofs = await Promise.all(nodes.map((node) => rest(node, '/cosmos/evidence/v1beta1/evidence')));
      expect(proofs[0]).toMatchObject({ evidence: [{ consensus_address: name, power: `${OFFENDER}` }] });
      expect(proofs).toEqual(nodes.map(() => proofs[0]));
      const staked = await rest(witness, '/cosmos/staking/v1beta1/validators');
      // slash_fraction_double_sign is 5 %.
      expect(staked?.['validators']).toContainEqual(
        expect.objectContaining({ jailed: true, tokens: `${(OFFENDER * CHR * 95n) / 100n}` }),
      );
      const { validators } = await call<{ readonly validators: readonly unknown[] }>(honest.rpc, 'validators');
      expect(validators).toMatchObject([{ voting_power: `${HONEST}` }]);
      const hashes = await Promise.all(
        nodes.map((node) => node.ask('eth_getBlockByNumber', `0x${height.toString(16)}`, false)),
      );
      expect(hashes).toEqual(nodes.map(() => hashes[0]));

      await Promise.all(nodes.map((node) => node.stop()));
      for (const { home } of machines)
        expect(JSON.parse(chronicled('log', 'verify', '--execute', '--home', home))).toMatchObject({
          problems: [],
          execution: { disagreements: [] },
        });
    },
  );
});
