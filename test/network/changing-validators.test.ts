/**
 * Validator and parameter updates that CometBFT applies: a validator joins and is jailed, governance changes
 * parameters.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fromBase64 } from '../../src/core/bytes/base64.js';
import { fromHex } from '../../src/core/bytes/hex.js';
import { asObject } from '../../src/core/text/json-object.js';
import { MsgUpdateParamsSchema } from '../../src/core/proto/cosmos/consensus/v1/tx_pb.js';
import { PubKeySchema } from '../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import { VoteOption } from '../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import { MsgSubmitProposalSchema, MsgVoteSchema } from '../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { MsgCreateValidatorSchema } from '../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { encodeAddress, moduleAddress } from '../../src/core/sdk/codec/address.js';
import { crypto } from '../core/app/support.js';
import { call, latestHeight } from '../e2e/comet-client.js';
import { ACCOUNTS, signed } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import { anyOf } from '../support/sign-tx.js';
import { hasCometbft } from './comet-process.js';
import { chronicled, makeNetwork, startApplication, startComet, until } from './cometbft.js';

const MS_MAX = 180_000;
const CHR = 10n ** 18n;
const MAX_BYTES = 1_234_567n;

interface ProposedBlock {
  readonly block: { readonly header: { readonly proposer_address: string } };
}

/** Genesis of the first home, with periods that end within the test. */
function shortPeriods([first = '', ...others]: readonly string[]): void {
  const file = (home: string): string => join(home, 'config', 'genesis.json');
  const genesis = JSON.parse(readFileSync(file(first), 'utf8'));
  const { gov, slashing } = genesis.app_state;
  gov.params = { ...gov.params, voting_period: '4s', expedited_voting_period: '2s' };
  slashing.params.signed_blocks_window = '20';
  for (const home of [first, ...others]) writeFileSync(file(home), JSON.stringify(genesis));
}

/** Sends the first transaction of an account through the REST API of a node. */
async function send({ endpoints }: DaemonProcess, account: number, messages: readonly Any[]): Promise<void> {
  const { tx } = signed(account, 0n, messages, '', 1_000_000n);
  const response = await fetch(`${endpoints.rest}/cosmos/tx/v1beta1/txs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
  });
  expect(await response.json()).toMatchObject({ tx_response: { code: 0, raw_log: '' } });
}

const validatorsOver = async (rpc: string): Promise<readonly string[]> =>
  (await call<{ readonly validators: readonly { readonly voting_power: string }[] }>(rpc, 'validators')).validators.map(
    ({ voting_power: power }) => power,
  );

/** True while CometBFT only fetches blocks from its peers and does not take part in rounds yet. */
async function isCatchingUp(rpc: string): Promise<boolean> {
  const { sync_info: sync } = await call<{ readonly sync_info: { readonly catching_up: boolean } }>(rpc, 'status');
  return sync.catching_up;
}

describe.skipIf(!hasCometbft())('CometBFT over this node', () => {
  test(
    'adds a validator, applies parameters of governance, and drops a validator jailed for downtime',
    async () => {
      const [first, second] = await makeNetwork(2, shortPeriods);
      if (first === undefined || second === undefined) throw new Error('two machines');
      const app = await startApplication(first);
      const comet = startComet(first);
      const joining = await startApplication(second);
      let joiningComet = startComet(second);
      await until(async () => (await latestHeight(second.rpc)) >= 2 && !(await isCatchingUp(second.rpc)));
      expect(await validatorsOver(first.rpc)).toEqual(['1000']);

      const { address, pub_key: key }: { readonly address: string; readonly pub_key: { readonly value: string } } =
        JSON.parse(readFileSync(join(second.home, 'config', 'priv_validator_key.json'), 'utf8'));
      const publicKey = create(PubKeySchema, { key: fromBase64(key.value) });
      const operator = fromHex((ACCOUNTS[1]?.hex ?? '').slice(2));
      const created = anyOf(MsgCreateValidatorSchema, {
        description: { moniker: 'joins' },
        commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
        minSelfDelegation: '1',
        validatorAddress: encodeAddress('chronvaloper', operator),
        pubkey: { typeUrl: `/${PubKeySchema.typeName}`, value: toBinary(PubKeySchema, publicKey) },
        value: { denom: 'achr', amount: `${400n * CHR}` },
      });
      await send(joining, 1, [created]);
      await until(async () => (await validatorsOver(first.rpc)).length === 2);
      expect(await validatorsOver(first.rpc)).toEqual(['1000', '400']);
      // its precommits are rarely in a commit, because the first machine alone has enough power
      const proposes = async (): Promise<boolean> =>
        (await call<ProposedBlock>(first.rpc, 'block')).block.header.proposer_address === address;
      await until(proposes);

      const params = {
        authority: encodeAddress('chron', moduleAddress(crypto, 'gov')),
        block: { maxBytes: MAX_BYTES, maxGas: 30_000_000n },
        evidence: { maxAgeNumBlocks: 100_000n, maxAgeDuration: { seconds: 172_800n }, maxBytes: 100_000n },
        validator: { pubKeyTypes: ['ed25519'] },
      };
      const voter = ACCOUNTS[0]?.bech32 ?? '';
      const proposal = anyOf(MsgSubmitProposalSchema, {
        proposer: voter,
        initialDeposit: [{ denom: 'achr', amount: `${10n * CHR}` }],
        title: 'blocks',
        summary: 'of another size',
        messages: [anyOf(MsgUpdateParamsSchema, params)],
      });
      // one transaction, so that the short voting period cannot end before the vote on a slow machine
      await send(app, 0, [proposal, anyOf(MsgVoteSchema, { voter, proposalId: 1n, option: VoteOption.YES })]);
      for (const { rpc } of [first, second])
        await until(async () => {
          const { consensus_params: now } = await call<{ readonly consensus_params: unknown }>(rpc, 'consensus_params');
          return asObject(asObject(now)?.['block'])?.['max_bytes'] === `${MAX_BYTES}`;
        });

      await joiningComet.kill('SIGKILL');
      await until(async () => (await validatorsOver(first.rpc)).length === 1);
      joiningComet = startComet(second);
      const height = await latestHeight(first.rpc);
      await until(async () => (await latestHeight(second.rpc)) > height);
      const [one, other] = await Promise.all(
        [first, second].map(({ rpc }) => call<{ readonly block: unknown }>(rpc, 'block', { height: `${height}` })),
      );
      expect(one).toEqual(other);
      for (const engine of [comet, joiningComet]) await engine.kill('SIGKILL');
      for (const node of [app, joining]) expect(await node.kill('SIGTERM')).toMatchObject({ code: 0 });
      for (const { home } of [first, second])
        expect(JSON.parse(chronicled('log', 'verify', '--execute', '--home', home))).toMatchObject({
          problems: [],
          execution: { disagreements: [] },
        });
    },
    MS_MAX,
  );
});
