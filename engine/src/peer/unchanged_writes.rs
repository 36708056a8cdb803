//! Writes of the Go node that leave the state as it was (cosmos/evm v0.6 `x/vm/statedb`). It writes each account that
//! an entry of the journal changes, also one that is changed back. Of these accounts it writes all slots that an
//! instruction changed, also in a frame that reverted. Only a block that shows touches has these writes
//! (`vm::block_rules`).

use crate::{
    host::{single::Single, state::UNDO_MARK},
    vm::{block_rules::block_rules, context::Ctx, touched},
};
use revm::{
    context::{ContextTr, JournalEntry, JournalTr},
    handler::FrameResult,
    interpreter::{
        CallScheme, FrameInput, InstructionContext, InstructionExecResult, InstructionResult,
        instructions::host::{self, sstore_default_gas_accounting, sstore_with_gas_accounting},
        interpreter::EthInterpreter,
    },
    primitives::{Address, U256},
};
use std::collections::{BTreeMap, BTreeSet};

static SLOTS: Single<BTreeMap<Address, BTreeSet<U256>>> = Single::new(BTreeMap::new());
static ACCOUNTS: Single<Accounts> =
    Single::new(Accounts { changed: BTreeSet::new(), paid_nothing: BTreeSet::new(), code_set: BTreeSet::new() });

#[derive(Default)]
struct Accounts {
    /// An entry of the journal changes the account.
    changed: BTreeSet<Address>,
    /// The account received zero wei: from a self-destruction or a STATICCALL.
    paid_nothing: BTreeSet<Address>,
    /// The code of the account was set, perhaps to the same code.
    code_set: BTreeSet<Address>,
}

/// A transfer from an account to itself.
pub struct TransferToItself {
    account: Address,
    amount: U256,
}

/// Forgets the writes of the last transaction.
pub fn forget() {
    SLOTS.with(BTreeMap::clear);
    ACCOUNTS.with(|accounts| *accounts = Accounts::default());
}

/// SSTORE, which also records the slot that it changes.
pub fn sstore(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let slot = context.interpreter.stack.peek(0).unwrap_or_default();
    sstore_with_gas_accounting(context, |context, target, load| {
        sstore_default_gas_accounting(context, target, load)?;
        if block_rules().shows_touches && load.data.present_value != load.data.new_value {
            SLOTS.with(|slots| slots.entry(target).or_default().insert(slot));
        }
        Ok(())
    })
}

/// The account that a STATICCALL is about to call. go-ethereum adds zero wei to its balance, so that the Go node
/// creates a missing account (`core/vm/evm.go` of v1.16).
pub fn static_callee(frame: &FrameInput) -> Option<Address> {
    match frame {
        FrameInput::Call(call) if block_rules().shows_touches && call.scheme == CallScheme::StaticCall => Some(call.target_address),
        _ => None,
    }
}

/// Notes in the journal that the account received zero wei, unless the call failed at once. `diff` finds precompiles
/// without this note.
pub fn note_static_callee(ctx: &mut Ctx, address: Address, ended: Option<&FrameResult>) {
    let lasts = match ended {
        None => true,
        Some(FrameResult::Call(outcome)) => outcome.result.result.is_ok() && !outcome.was_precompile_called,
        Some(FrameResult::Create(_)) => false,
    };
    if lasts {
        let nothing = JournalEntry::BalanceTransfer { from: address, to: address, balance: U256::ZERO };
        ctx.journaled_state.inner.journal.push(nothing);
    }
}

/// The transfer of a call from an account to itself. The EVM does not note it, but the Go node writes the account.
pub fn transfer_to_itself(frame: &FrameInput) -> Option<TransferToItself> {
    let FrameInput::Call(call) = frame else { return None };
    let is_own = call.scheme == CallScheme::Call && call.caller == call.target_address;
    let amount = call.transfer_value().filter(|value| block_rules().shows_touches && is_own && !value.is_zero())?;
    Some(TransferToItself { account: call.caller, amount })
}

/// Notes the transfer in the journal.
pub fn note_transfer_to_itself(ctx: &mut Ctx, TransferToItself { account, amount }: TransferToItself) {
    ctx.journal_mut().touch_account(account);
    let transfer = JournalEntry::BalanceTransfer { from: account, to: account, balance: amount };
    ctx.journaled_state.inner.journal.push(transfer);
}

/// SELFDESTRUCT, which also tells whom it pays, and notes the transfer of a contract that stays and pays itself.
pub fn selfdestruct(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let this = interpreter.input.target_address;
    let heir = interpreter.stack.peek(0).ok().map(|top| Address::from_word(top.into()));
    let is_own = block_rules().shows_touches && heir == Some(this);
    let result = host::selfdestruct(InstructionContext { interpreter, host: &mut *ctx });
    if let (Some(heir), Err(InstructionResult::SelfDestruct)) = (heir, &result) {
        touched::note(heir);
    }
    if let (true, Err(InstructionResult::SelfDestruct), Some(account)) = (is_own, &result, ctx.journaled_state.inner.state.get(&this)) {
        let amount = account.info.balance;
        if !amount.is_zero() {
            note_transfer_to_itself(ctx, TransferToItself { account: this, amount });
        }
    }
    result
}

/// Collects the accounts that the journal changed so far.
pub fn collect(ctx: &Ctx) {
    if !block_rules().shows_touches {
        return;
    }
    let mut accounts = Accounts::default();
    for entry in &ctx.journaled_state.inner.journal {
        match entry {
            JournalEntry::AccountDestroyed { address, had_balance, target, .. } => {
                accounts.changed.insert(*address);
                accounts.add_payment(target, had_balance);
            }
            JournalEntry::BalanceTransfer { from, to, balance } => {
                accounts.add_payment(to, balance);
                if !balance.is_zero() {
                    accounts.changed.insert(*from);
                }
            }
            JournalEntry::StorageChanged { address, .. } if *address == UNDO_MARK => {}
            JournalEntry::BalanceChange { address, .. }
            | JournalEntry::NonceChange { address, .. }
            | JournalEntry::NonceBump { address }
            | JournalEntry::AccountCreated { address, .. }
            | JournalEntry::StorageChanged { address, .. } => {
                accounts.changed.insert(*address);
            }
            JournalEntry::CodeChange { address, .. } => {
                accounts.changed.insert(*address);
                accounts.code_set.insert(*address);
            }
            _ => {}
        }
    }
    ACCOUNTS.with(|kept| *kept = accounts);
}

impl Accounts {
    fn add_payment(&mut self, to: &Address, amount: &U256) {
        if amount.is_zero() { &mut self.paid_nothing } else { &mut self.changed }.insert(*to);
    }
}

/// True when an entry of the journal changes the account.
pub fn is_changed(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.changed.contains(address))
}

/// True when the code of the account was set: the Go node writes it even when it is the same.
pub fn is_code_set(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.code_set.contains(address))
}

/// True when the account received zero wei: the Go node creates a missing account then.
pub fn is_paid_nothing(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.paid_nothing.contains(address))
}

/// The slots of the account that an instruction changed.
pub fn slots(address: &Address) -> Vec<U256> {
    SLOTS.with(|slots| slots.get(address).map_or_else(Vec::new, |slots| slots.iter().copied().collect()))
}
