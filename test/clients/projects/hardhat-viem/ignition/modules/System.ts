import { buildModule } from '@nomicfoundation/hardhat-ignition/modules';

export default buildModule('System', (m) => {
  const token = m.contract('Token', [1_000n]);
  const governor = m.contract('Governor', [token]);
  m.call(token, 'transfer', [governor, 400n]);
  const counter = m.contract('CounterV1');
  const proxy = m.contract('Proxy', [counter, m.encodeFunctionCall(counter, 'initialise', [5n])]);
  return { token, governor, counter: m.contractAt('CounterV1', proxy, { id: 'Counter' }) };
});
