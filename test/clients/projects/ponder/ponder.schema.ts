import { onchainTable } from 'ponder';

export const transfer = onchainTable('transfer', (t) => ({
  id: t.text().primaryKey(),
  value: t.bigint().notNull(),
  block: t.text().notNull(),
}));
