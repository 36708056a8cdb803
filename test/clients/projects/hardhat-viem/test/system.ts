import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { network } from 'hardhat';
import { encodeFunctionData, parseSignature } from 'viem';
import System from '../ignition/modules/System.js';

const { viem, networkHelpers, ignition } = await network.create('chronicle');
const [owner, other, third] = await viem.getWalletClients();
const client = await viem.getPublicClient();

async function deployToken() {
  return { token: await viem.deployContract('Token', [1_000n]) };
}

async function deployGovernor() {
  const { token } = await deployToken();
  const governor = await viem.deployContract('Governor', [token.address]);
  await token.write.transfer([governor.address, 100n]);
  await token.write.transfer([other.account.address, 300n]);
  return { token, governor };
}

async function deployProxy() {
  const first = await viem.deployContract('CounterV1');
  const initialisation = encodeFunctionData({ abi: first.abi, functionName: 'initialise', args: [5n] });
  const proxy = await viem.deployContract('Proxy', [first.address, initialisation]);
  return { first, proxy, counter: await viem.getContractAt('CounterV1', proxy.address) };
}

describe('a token', () => {
  it('is transferred, each test from the same state', async () => {
    for (const amount of [5n, 7n]) {
      const { token } = await networkHelpers.loadFixture(deployToken);
      await viem.assertions.emitWithArgs(token.write.transfer([other.account.address, amount]), token, 'Transfer', [
        owner.account.address,
        other.account.address,
        amount,
      ]);
      assert.equal(await token.read.balanceOf([other.account.address]), amount);
    }
  });

  it('refuses with custom errors that are decoded', async () => {
    const { token } = await networkHelpers.loadFixture(deployToken);
    await viem.assertions.revertWithCustomErrorWithArgs(
      token.write.transfer([owner.account.address, 5n], { account: other.account }),
      token,
      'InsufficientBalance',
      [other.account.address, 0n, 5n],
    );
    await viem.assertions.revertWithCustomError(
      token.write.transferFrom([owner.account.address, other.account.address, 1n], { account: other.account }),
      token,
      'InsufficientAllowance',
    );
  });

  it('is allowed by a signature (ERC-2612), until it expires', async () => {
    const { token } = await networkHelpers.loadFixture(deployToken);
    const deadline = BigInt(await networkHelpers.time.latest()) + 1_000n;
    const permit = { owner: owner.account.address, spender: other.account.address, value: 9n, nonce: 0n, deadline };
    const signature = await owner.signTypedData({
      domain: { name: 'Token', version: '1', chainId: await client.getChainId(), verifyingContract: token.address },
      types: {
        Permit: ['owner:address', 'spender:address', 'value:uint256', 'nonce:uint256', 'deadline:uint256'].map(
          (field) => {
            const [name, type] = field.split(':');
            return { name, type };
          },
        ),
      },
      primaryType: 'Permit',
      message: permit,
    });
    const { r, s, yParity } = parseSignature(signature);
    const args = [permit.owner, permit.spender, 9n, deadline, 27 + yParity, r, s];
    await token.write.permit(args);
    await token.write.transferFrom([permit.owner, third.account.address, 9n], { account: other.account });
    assert.equal(await token.read.balanceOf([third.account.address]), 9n);
    await networkHelpers.time.increase(2_000);
    await viem.assertions.revertWithCustomError(token.write.permit(args), token, 'ExpiredSignature');
  });
});

describe('a governor', () => {
  it('executes what was voted for, after its delay, its period and its time lock', async () => {
    const { token, governor } = await networkHelpers.loadFixture(deployGovernor);
    const data = encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [third.account.address, 42n] });
    const proposal = [token.address, data, 'pay'];
    await governor.write.propose(proposal);
    const id = await governor.read.hashProposal(proposal);
    assert.equal(await governor.read.state([id]), 0);
    await viem.assertions.revertWithCustomErrorWithArgs(
      governor.write.castVote([id, true]),
      governor,
      'UnexpectedState',
      [id, 0],
    );
    await networkHelpers.mine(3);
    await viem.assertions.emitWithArgs(governor.write.castVote([id, true]), governor, 'VoteCast', [
      owner.account.address,
      id,
      true,
      600n,
    ]);
    await governor.write.castVote([id, false], { account: other.account });
    await networkHelpers.mine(10);
    assert.equal(await governor.read.state([id]), 3);
    await governor.write.queue([id]);
    await viem.assertions.revertWithCustomError(governor.write.execute(proposal), governor, 'NotReady');
    await networkHelpers.time.increase(24 * 3600);
    await governor.write.execute(proposal);
    assert.equal(await token.read.balanceOf([third.account.address]), 42n);
    assert.equal(await governor.read.state([id]), 5);
  });

  it('holds coins', async () => {
    const { governor } = await networkHelpers.loadFixture(deployGovernor);
    await viem.assertions.balancesHaveChanged(owner.sendTransaction({ to: governor.address, value: 3n }), [
      { address: governor.address, amount: 3n },
    ]);
  });
});

describe('a proxy', () => {
  it('keeps its state over an upgrade by its admin', async () => {
    const { first, proxy, counter } = await networkHelpers.loadFixture(deployProxy);
    const slot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;
    assert.equal(BigInt(await networkHelpers.getStorageAt(proxy.address, slot)), BigInt(first.address));
    await counter.write.increment();
    assert.equal(await counter.read.count(), 6n);
    await viem.assertions.revertWithCustomError(counter.write.initialise([1n]), counter, 'AlreadyInitialised');
    const second = await viem.deployContract('CounterV2');
    await viem.assertions.revertWithCustomErrorWithArgs(
      proxy.write.upgradeToAndCall([second.address, '0x'], { account: other.account }),
      proxy,
      'NotAdmin',
      [other.account.address],
    );
    await viem.assertions.emit(proxy.write.upgradeToAndCall([second.address, '0x']), proxy, 'Upgraded');
    const upgraded = await viem.getContractAt('CounterV2', proxy.address);
    await upgraded.write.increment();
    assert.deepEqual([await upgraded.read.count(), await upgraded.read.version()], [16n, '2']);
  });
});

describe('network helpers', () => {
  const who = '0x00000000000000000000000000000000000000cc';

  it('move time and make blocks', async () => {
    const { time } = networkHelpers;
    const before = await time.latest();
    await time.increase(3_600);
    assert.ok((await time.latest()) >= before + 3_600);
    await time.increaseTo((await time.latest()) + 100);
    const next = (await time.latest()) + 10;
    await time.setNextBlockTimestamp(next);
    await networkHelpers.mine();
    assert.equal(await time.latest(), next);
    const block = await time.latestBlock();
    await networkHelpers.mine(5, { interval: 15 });
    assert.ok((await time.latest()) >= next + 60);
    await networkHelpers.mineUpTo(block + 10);
    assert.equal(await time.latestBlock(), block + 10);
  });

  it('set facts of accounts', async () => {
    await networkHelpers.setBalance(who, 12_345n);
    await networkHelpers.setCode(who, '0x6001');
    await networkHelpers.setNonce(who, 7);
    await networkHelpers.setStorageAt(who, 0n, 5n);
    assert.equal(await client.getBalance({ address: who }), 12_345n);
    assert.equal(await client.getCode({ address: who }), '0x6001');
    assert.equal(await client.getTransactionCount({ address: who }), 7);
    assert.equal(BigInt(await networkHelpers.getStorageAt(who, 0n)), 5n);
  });

  it('set facts of blocks', async () => {
    const coinbase = '0x00000000000000000000000000000000000000cb';
    await networkHelpers.setPrevRandao(77n);
    await networkHelpers.setNextBlockBaseFeePerGas(5_000_000_000n);
    const next = (await networkHelpers.time.latest()) + 1_000;
    await networkHelpers.time.setNextBlockTimestamp(next);
    await networkHelpers.setCoinbase(coinbase);
    await networkHelpers.setBlockGasLimit(29_000_000n);
    await networkHelpers.mine();
    const { baseFeePerGas, gasLimit, miner, mixHash, timestamp } = await client.getBlock();
    assert.deepEqual(
      [baseFeePerGas, gasLimit, miner, BigInt(mixHash), timestamp],
      [5_000_000_000n, 29_000_000n, coinbase, 77n, BigInt(next)],
    );
  });

  it('impersonate accounts', async () => {
    const whale = '0x00000000000000000000000000000000000000dd';
    await networkHelpers.setBalance(whale, 10n ** 18n);
    await networkHelpers.impersonateAccount(whale);
    const wallet = await viem.getWalletClient(whale);
    await viem.assertions.balancesHaveChanged(wallet.sendTransaction({ to: third.account.address, value: 3n }), [
      { address: third.account.address, amount: 3n },
    ]);
    await networkHelpers.stopImpersonatingAccount(whale);
  });

  it('take snapshots, and drop transactions', async () => {
    const snapshot = await networkHelpers.takeSnapshot();
    await networkHelpers.setBalance(who, 9n);
    await snapshot.restore();
    assert.notEqual(await client.getBalance({ address: who }), 9n);
    const nonce = (await client.getTransactionCount({ address: owner.account.address })) + 5;
    const hash = await owner.sendTransaction({ to: other.account.address, value: 1n, nonce });
    assert.equal(await networkHelpers.dropTransaction(hash), true);
  });
});

describe('ignition', () => {
  it('deploys a system of contracts', async () => {
    const { token, governor, counter } = await ignition.deploy(System);
    assert.equal(await token.read.balanceOf([governor.address]), 400n);
    assert.equal(await counter.read.count(), 5n);
  });
});
