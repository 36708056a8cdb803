//! The context of an execution: block, transaction, configuration, and the journal over committed state.

use crate::{host::state::Database, vm::prices};
use revm::{
    Context, Journal,
    context::{BlockEnv, CfgEnv, TxEnv},
    primitives::hardfork::SpecId,
};

/// The type of the context.
pub type Ctx = Context<BlockEnv, TxEnv, CfgEnv, Database, Journal<Database>, ()>;

/// A context with the gas prices of the fork and of the chain.
pub fn new_context(database: Database, spec: SpecId) -> Ctx {
    let mut context = Context::new(database, spec);
    context.cfg.gas_params = prices::gas_params(spec);
    context
}
