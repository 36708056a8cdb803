//! Permissions to call and to create contracts, which the parameters of a chain may restrict. They bind each frame of
//! an execution, the first one included (cosmos/evm v0.6 `x/vm/types/permissions.go`).

use crate::{halts::fault::{self, Fault}, host::{single::Single, wire::Reader}, vm::context::Ctx};
use revm::{
    context::{ContextTr, Transaction},
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CallScheme, CreateInputs, CreateOutcome, FrameInput, Gas, InstructionResult, InterpreterResult},
    primitives::{Address, Bytes},
};

/// The accounts that may act, by the list of a rule.
enum Allowed {
    AllBut,
    Nobody,
    Only,
}

struct Rule {
    allowed: Allowed,
    list: Vec<Address>,
}

/// The rules of creations and of calls. `None` allows both to everybody.
static RULES: Single<Option<[Rule; 2]>> = Single::new(None);

/// Sets the rules. Input, for creations and then for calls: kind u8 (0 all but the list, 1 nobody, 2 only the list),
/// count u32, addresses.
pub fn set(reader: Option<&mut Reader<'_>>) {
    let rules = reader.map(|reader| [read_rule(reader), read_rule(reader)]);
    RULES.with(|stored| *stored = rules);
}

/// Reads a rule. Another kind is a defect of the host, and panics.
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
    /// A list applies to the sender of the transaction and to the caller of the frame.
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

/// The result of a frame that is not allowed. It costs no gas.
pub fn denied(ctx: &Ctx, frame: &FrameInput) -> Option<FrameResult> {
    match frame {
        FrameInput::Call(call) => denied_call(ctx, call).map(FrameResult::Call),
        FrameInput::Create(creation) => denied_creation(ctx, creation).map(FrameResult::Create),
        FrameInput::Empty => None,
    }
}

/// The result of a call that is not allowed.
pub fn denied_call(ctx: &Ctx, call: &CallInputs) -> Option<CallOutcome> {
    // A delegate call has the caller of its caller.
    let caller = if call.scheme == CallScheme::DelegateCall { call.target_address } else { call.caller };
    if allows(ctx, false, &caller) {
        return None;
    }
    fault::set(Fault::Denied { caller, creates: false });
    Some(CallOutcome {
        result: ended(call.gas_limit, call.reservoir),
        memory_offset: call.return_memory_offset.clone(),
        was_precompile_called: false,
        precompile_call_logs: Vec::new(),
        charged_new_account_state_gas: call.charged_new_account_state_gas,
    })
}

/// The result of a creation that is not allowed.
pub fn denied_creation(ctx: &Ctx, creation: &CreateInputs) -> Option<CreateOutcome> {
    let caller = creation.caller();
    if allows(ctx, true, &caller) {
        return None;
    }
    fault::set(Fault::Denied { caller, creates: true });
    Some(CreateOutcome {
        result: ended(creation.gas_limit(), creation.reservoir()),
        address: None,
        charged_create_state_gas: creation.charged_create_state_gas(),
    })
}

/// Ends the frame and keeps its gas, as for a call beyond the depth limit.
fn ended(gas_limit: u64, reservoir: u64) -> InterpreterResult {
    let gas = Gas::new_with_regular_gas_and_reservoir(gas_limit, reservoir);
    InterpreterResult { result: InstructionResult::CallTooDeep, gas, output: Bytes::new() }
}
