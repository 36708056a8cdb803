import { expect } from 'chai';
import { network } from 'hardhat';

const { ethers, networkHelpers } = await network.create('chronicle');

async function deploy() {
  const [owner, other] = await ethers.getSigners();
  const token = await ethers.deployContract('Token', [1_000n]);
  const governor = await ethers.deployContract('Governor', [token]);
  return { owner, other, token, governor };
}

describe('a token and a governor', () => {
  it('emits and moves balances of tokens', async () => {
    const { owner, other, token } = await networkHelpers.loadFixture(deploy);
    await expect(token.transfer(other, 5n)).to.emit(token, 'Transfer').withArgs(owner, other, 5n);
    await expect(token.transfer(other, 5n)).to.changeTokenBalances(ethers, token, [owner, other], [-5n, 5n]);
    expect(await token.balanceOf(other)).to.equal(10n);
  });

  it('begins from the fixture, and refuses with custom errors', async () => {
    const { owner, other, token } = await networkHelpers.loadFixture(deploy);
    expect(await token.balanceOf(other)).to.equal(0n);
    await expect(token.connect(other).transfer(owner, 1n))
      .to.be.revertedWithCustomError(token, 'InsufficientBalance')
      .withArgs(other, 0n, 1n);
    await expect(token.transfer(ethers.ZeroAddress, 1n)).to.be.revertedWithCustomError(token, 'InvalidReceiver');
  });

  it('moves balances of coins', async () => {
    const { owner, other, governor } = await networkHelpers.loadFixture(deploy);
    await expect(owner.sendTransaction({ to: other, value: 7n })).to.changeEtherBalance(ethers, other, 7n);
    await expect(owner.sendTransaction({ to: governor, value: 7n })).to.changeEtherBalances(
      ethers,
      [owner, governor],
      [-7n, 7n],
    );
  });

  it('votes after blocks, and executes after a time', async () => {
    const { other, token, governor } = await networkHelpers.loadFixture(deploy);
    await token.transfer(governor, 100n);
    const data = token.interface.encodeFunctionData('transfer', [other.address, 3n]);
    await governor.propose(token, data, 'pay');
    const id = await governor.hashProposal(token, data, 'pay');
    await networkHelpers.mine(3);
    await governor.castVote(id, true);
    await expect(governor.castVote(id, true)).to.be.revertedWithCustomError(governor, 'AlreadyVoted');
    await networkHelpers.mine(10);
    await governor.queue(id);
    await networkHelpers.time.increase(24 * 3600);
    await expect(governor.execute(token, data, 'pay'))
      .to.emit(governor, 'ProposalExecuted')
      .withArgs(id);
    expect(await token.balanceOf(other)).to.equal(3n);
  });

  it('fails as a whole within a batch of sends', async () => {
    const { owner, other, token } = await networkHelpers.loadFixture(deploy);
    const sends = await Promise.all([1n, 2n, 3n].map((amount) => token.transfer(other, amount)));
    await Promise.all(sends.map((sent) => sent.wait()));
    expect(await token.balanceOf(other)).to.equal(6n);
    expect(await token.balanceOf(owner)).to.equal(994n);
  });
});
