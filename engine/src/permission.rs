//! Permissions to call and to create contracts, where the parameters of a chain have rules of them: asked before each frame
//! of an execution, the first one too (cosmos/evm v0.6 `x/vm/types/permissions.go`).

use crate::{
    fault::{self, Fault},
    single::Single,
    vm::Ctx,
    wire::Reader,
};
use revm::{
    context::{ContextTr, Transaction},
    handler::FrameResult,
    interpreter::{CallInputs, CallOutcome, CallScheme, CreateInputs, CreateOutcome, FrameInput, Gas, InstructionResult, InterpreterResult},
    primitives::{Address, Bytes},
};

struct Rule {
    kind: u8,
    list: Vec<Address>,
}

const RESTRICTED: u8 = 1;
const PERMISSIONED: u8 = 2;

/// Of creations, then of calls; none where everybody may do both.
static RULES: Single<Option<[Rule; 2]>> = Single::new(None);

/// Input: for creations, then for calls, the kind u8 (0 all but those in the list, 1 nobody, 2 those in the list), count u32
/// and addresses.
pub fn set(reader: Option<&mut Reader<'_>>) {
    let rules = reader.map(|reader| [read_rule(reader), read_rule(reader)]);
    RULES.with(|held| *held = rules);
}

fn read_rule(reader: &mut Reader<'_>) -> Rule {
    Rule { kind: reader.u8(), list: (0..reader.u32()).map(|_| reader.address()).collect() }
}

impl Rule {
    /// Those who sent the transaction and who make the frame.
    fn allows(&self, signer: &Address, caller: &Address) -> bool {
        let named = || self.list.contains(signer) || self.list.contains(caller);
        match self.kind {
            RESTRICTED => false,
            PERMISSIONED => named(),
            _ => !named(),
        }
    }
}

fn allows(ctx: &Ctx, creates: bool, caller: &Address) -> bool {
    RULES.with(|rules| rules.as_ref().is_none_or(|[create, call]| if creates { create } else { call }.allows(&ctx.tx().caller(), caller)))
}

/// The result of a frame that is not allowed, which takes no gas.
pub fn refused(ctx: &Ctx, frame: &FrameInput) -> Option<FrameResult> {
    match frame {
        FrameInput::Call(call) => refused_call(ctx, call).map(FrameResult::Call),
        FrameInput::Create(creation) => refused_creation(ctx, creation).map(FrameResult::Create),
        FrameInput::Empty => None,
    }
}

pub fn refused_call(ctx: &Ctx, call: &CallInputs) -> Option<CallOutcome> {
    // a delegate call has the caller of its caller
    let caller = if call.scheme == CallScheme::DelegateCall { call.target_address } else { call.caller };
    if allows(ctx, false, &caller) {
        return None;
    }
    fault::set(Fault::Refused { caller, creates: false });
    Some(CallOutcome {
        result: ended(call.gas_limit, call.reservoir),
        memory_offset: call.return_memory_offset.clone(),
        was_precompile_called: false,
        precompile_call_logs: Vec::new(),
        charged_new_account_state_gas: call.charged_new_account_state_gas,
    })
}

pub fn refused_creation(ctx: &Ctx, creation: &CreateInputs) -> Option<CreateOutcome> {
    let caller = creation.caller();
    if allows(ctx, true, &caller) {
        return None;
    }
    fault::set(Fault::Refused { caller, creates: true });
    Some(CreateOutcome {
        result: ended(creation.gas_limit(), creation.reservoir()),
        address: None,
        charged_create_state_gas: creation.charged_create_state_gas(),
    })
}

/// As a frame beyond the depth of calls ends, whose gas is kept, too.
fn ended(gas_limit: u64, reservoir: u64) -> InterpreterResult {
    let gas = Gas::new_with_regular_gas_and_reservoir(gas_limit, reservoir);
    InterpreterResult { result: InstructionResult::CallTooDeep, gas, output: Bytes::new() }
}
