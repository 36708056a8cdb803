//! Permissions to call and to create contracts, set by the parameters of the chain. They apply to each frame of an
//! execution, including the first (cosmos/evm v0.6 `x/vm/types/permissions.go`).

use crate::{halts::fault::{self, Fault}, host::{single::Single, wire::Reader}, vm::context::Ctx};
use revm::{
    context::{ContextTr, Transaction},
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CallScheme, CreateInputs, CreateOutcome, FrameInput, Gas, InstructionResult, InterpreterResult},
    primitives::{Address, Bytes},
};

/// Accounts that a rule permits.
enum Allowed {
    AllBut,
    Nobody,
    Only,
}

struct Rule {
    allowed: Allowed,
    list: Vec<Address>,
}

/// Rules for contract creations and for calls. `None` permits both to all accounts.
static RULES: Single<Option<[Rule; 2]>> = Single::new(None);

/// Sets the rules. Input, for creations and then for calls: kind u8 (0 all except the list, 1 nobody, 2 only the
/// list), count u32, addresses.
pub fn set(reader: Option<&mut Reader<'_>>) {
    let rules = reader.map(|reader| [read_rule(reader), read_rule(reader)]);
    RULES.with(|stored| *stored = rules);
}

/// Reads a rule. Panics on an unknown kind, which is a bug of the host.
fn read_rule(reader: &mut Reader<'_>) -> Rule {
    let allowed = match reader.u8() {
        0 => Allowed::AllBut,
        1 => Allowed::Nobody,
        2 => Allowed::Only,
        kind => panic!("{kind} is no kind of permission that the port knows"),
    };
    Rule { allowed, list: (0..reader.u32()).map(|_| reader.address()).collect() }
}

impl Rule {
    /// An account is listed if the list has the transaction's sender or the frame's caller.
    fn allows(&self, signer: &Address, caller: &Address) -> bool {
        let is_listed = || self.list.contains(signer) || self.list.contains(caller);
        match self.allowed {
            Allowed::AllBut => !is_listed(),
            Allowed::Nobody => false,
            Allowed::Only => is_listed(),
        }
    }
}

fn allows(ctx: &Ctx, creates: bool, caller: &Address) -> bool {
    RULES.with(|rules| rules.as_ref().is_none_or(|[create, call]| if creates { create } else { call }.allows(&ctx.tx().caller(), caller)))
}

/// Result of a frame that is not permitted. It uses no gas.
pub fn denied(ctx: &Ctx, frame: &FrameInput) -> Option<FrameResult> {
    match frame {
        FrameInput::Call(call) => denied_call(ctx, call).map(FrameResult::Call),
        FrameInput::Create(creation) => denied_creation(ctx, creation).map(FrameResult::Create),
        FrameInput::Empty => None,
    }
}

/// Result of a call that is not permitted.
pub fn denied_call(ctx: &Ctx, call: &CallInputs) -> Option<CallOutcome> {
    // In a DELEGATECALL, `call.caller` is the caller of the calling frame.
    let caller = if call.scheme == CallScheme::DelegateCall { call.target_address } else { call.caller };
    if allows(ctx, false, &caller) {
        return None;
    }
    fault::set(Fault::Denied { caller, creates: false });
    Some(CallOutcome {
        result: denied_result(call.gas_limit, call.reservoir),
        memory_offset: call.return_memory_offset.clone(),
        was_precompile_called: false,
        precompile_call_logs: Vec::new(),
        charged_new_account_state_gas: call.charged_new_account_state_gas,
    })
}

/// Result of a contract creation that is not permitted.
pub fn denied_creation(ctx: &Ctx, creation: &CreateInputs) -> Option<CreateOutcome> {
    let caller = creation.caller();
    if allows(ctx, true, &caller) {
        return None;
    }
    fault::set(Fault::Denied { caller, creates: true });
    Some(CreateOutcome {
        result: denied_result(creation.gas_limit(), creation.reservoir()),
        address: None,
        charged_create_state_gas: creation.charged_create_state_gas(),
    })
}

/// Result that returns all gas, like that of a call beyond the depth limit.
fn denied_result(gas_limit: u64, reservoir: u64) -> InterpreterResult {
    let gas = Gas::new_with_regular_gas_and_reservoir(gas_limit, reservoir);
    InterpreterResult { result: InstructionResult::CallTooDeep, gas, output: Bytes::new() }
}
