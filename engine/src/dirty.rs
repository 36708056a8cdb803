//! What evmd writes although it is as before (cosmos/evm v0.6 `x/vm/statedb`): the accounts that an entry of the journal
//! changes, also back, and of these all slots that an instruction changed, also in a frame that reverted.

use crate::{
    block::shows_touches,
    database::UNDO_MARK,
    single::Single,
    vm::{Ctx, Vm},
};
use revm::{
    context::{ContextTr, JournalEntry, JournalTr},
    handler::FrameResult,
    interpreter::{
        CallScheme, FrameInput, InstructionContext, InstructionExecResult,
        InstructionResult,
        instructions::host::{self, sstore_default_gas_accounting, sstore_with_gas_accounting},
        interpreter::EthInterpreter,
    },
    primitives::{Address, U256},
};
use std::collections::{BTreeMap, BTreeSet};

static SLOTS: Single<BTreeMap<Address, BTreeSet<U256>>> = Single::new(BTreeMap::new());
static ACCOUNTS: Single<Accounts> =
    Single::new(Accounts { changed: BTreeSet::new(), named: BTreeSet::new(), coded: BTreeSet::new() });

#[derive(Default)]
struct Accounts {
    /// By an entry of the journal.
    changed: BTreeSet<Address>,
    /// Paid nothing by a contract that ended itself, or asked by STATICCALL.
    named: BTreeSet<Address>,
    /// Those whose code was set, be it to the same.
    coded: BTreeSet<Address>,
}

/// A transaction begins.
pub fn forget() {
    SLOTS.with(BTreeMap::clear);
    ACCOUNTS.with(|accounts| *accounts = Accounts::default());
}

/// SSTORE, whose change of a slot is kept where the block shows it.
pub fn sstore(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let slot = context.interpreter.stack.peek(0).unwrap_or_default();
    sstore_with_gas_accounting(context, |context, target, load| {
        sstore_default_gas_accounting(context, target, load)?;
        if shows_touches() && load.data.present_value != load.data.new_value {
            SLOTS.with(|slots| slots.entry(target).or_default().insert(slot));
        }
        Ok(())
    })
}

/// The account that a STATICCALL is about to ask, where the block shows such accounts: go-ethereum pays it nothing, so that
/// evmd makes one that was not there (`core/vm/evm.go` of v1.16).
pub fn asked(frame: &FrameInput) -> Option<Address> {
    match frame {
        FrameInput::Call(call) if shows_touches() && call.scheme == CallScheme::StaticCall => Some(call.target_address),
        _ => None,
    }
}

/// Notes in the journal that the account was paid nothing, unless the call ended at once without success. A contract of the
/// chain or of Ethereum is named elsewhere.
pub fn note_asked(vm: &mut Vm, address: Address, ended: Option<&FrameResult>) {
    let lasts = match ended {
        None => true,
        Some(FrameResult::Call(outcome)) => outcome.result.result.is_ok() && !outcome.was_precompile_called,
        Some(FrameResult::Create(_)) => false,
    };
    if lasts {
        let nothing = JournalEntry::BalanceTransfer { from: address, to: address, balance: U256::ZERO };
        vm.ctx.journaled_state.inner.journal.push(nothing);
    }
}

/// The wei that a call is about to move from an account to itself, where the block shows such accounts: evmd writes them, and
/// the EVM does not note them.
pub fn moved_to_itself(frame: &FrameInput) -> Option<(Address, U256)> {
    match frame {
        FrameInput::Call(call) if shows_touches() && call.scheme == CallScheme::Call && call.caller == call.target_address => {
            call.transfer_value().filter(|value| !value.is_zero()).map(|value| (call.caller, value))
        }
        _ => None,
    }
}

/// Notes in the journal that wei moved from the account to itself.
pub fn note_moved_to_itself(ctx: &mut Ctx, (address, balance): (Address, U256)) {
    ctx.journal_mut().touch_account(address);
    ctx.journaled_state.inner.journal.push(JournalEntry::BalanceTransfer { from: address, to: address, balance });
}

/// SELFDESTRUCT, by which a contract that stays pays itself.
pub fn selfdestruct(context: InstructionContext<'_, Ctx, EthInterpreter>) -> InstructionExecResult {
    let InstructionContext { interpreter, host: ctx } = context;
    let this = interpreter.input.target_address;
    let is_own = shows_touches() && interpreter.stack.peek(0).is_ok_and(|top| Address::from_word(top.into()) == this);
    let result = host::selfdestruct(InstructionContext { interpreter, host: &mut *ctx });
    if let (true, Err(InstructionResult::SelfDestruct), Some(account)) = (is_own, &result, ctx.journaled_state.inner.state.get(&this)) {
        let balance = account.info.balance;
        if !balance.is_zero() {
            note_moved_to_itself(ctx, (this, balance));
        }
    }
    result
}

/// Takes the accounts from the journal so far.
pub fn collect(ctx: &Ctx) {
    if !shows_touches() {
        return;
    }
    let mut accounts = Accounts::default();
    for entry in &ctx.journaled_state.inner.journal {
        match entry {
            JournalEntry::AccountDestroyed { address, had_balance, target, .. } => {
                accounts.changed.insert(*address);
                accounts.paid(target, had_balance);
            }
            JournalEntry::BalanceTransfer { from, to, balance } => {
                accounts.paid(to, balance);
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
                accounts.coded.insert(*address);
            }
            _ => {}
        }
    }
    ACCOUNTS.with(|kept| *kept = accounts);
}

impl Accounts {
    fn paid(&mut self, to: &Address, amount: &U256) {
        if amount.is_zero() { &mut self.named } else { &mut self.changed }.insert(*to);
    }
}

/// Whether an entry of the journal changes the account.
pub fn is_changed(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.changed.contains(address))
}

/// The code of the account was set: evmd writes it, also where it is the same as before.
pub fn is_coded(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.coded.contains(address))
}

/// Whether the account was paid nothing, by which evmd makes one that was not there.
pub fn is_named(address: &Address) -> bool {
    ACCOUNTS.with(|accounts| accounts.named.contains(address))
}

/// The slots that an instruction changed.
pub fn slots(address: &Address) -> Vec<U256> {
    SLOTS.with(|slots| slots.get(address).map_or_else(Vec::new, |slots| slots.iter().copied().collect()))
}
