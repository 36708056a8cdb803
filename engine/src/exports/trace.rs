//! Traces transactions and calls, with geth's JSON as output.

use crate::{
    exports::{outcome::{answer_error, answer_failed, EXECUTED, STOPPED_BY_HOST}, overrides::Overrides, transaction::read_transaction},
    host::{buffers, interrupt::Stop, wire::Reader},
    trace::{json::{self, TOO_LARGE}, observer, tracer::Tracer},
    vm::{execute::execute, handler::Fees, machine::{with_vm, Vm}},
};

/// Traces an execution. Input: options as JSON text, overrides, transaction. Output: JSON. Changes are not kept.
#[unsafe(no_mangle)]
pub extern "C" fn trace(fees: u32) -> i32 {
    let input = buffers::take_input();
    let answer = with_vm(|vm| {
        let mut reader = Reader(&input);
        let tracer = match Tracer::from_options(reader.bytes()) {
            Ok(tracer) => tracer,
            Err(text) => return answer_failed(&text),
        };
        let (overrides, applied) = Overrides::apply(&mut vm.ctx.journaled_state.database, &mut reader);
        let answer = if applied.is_err() { STOPPED_BY_HOST } else { run(vm, tracer, &mut reader, Fees::from_u32(fees)) };
        overrides.undo(&mut vm.ctx.journaled_state.database);
        answer
    });
    buffers::return_input(input);
    answer
}

fn run(vm: &mut Vm, tracer: Tracer, reader: &mut Reader<'_>, fees: Fees) -> i32 {
    let transaction = read_transaction(reader, vm.ctx.cfg.chain_id);
    observer::set_tracer(Some(Box::new(tracer)));
    let executed = execute(vm, transaction.clone(), fees, true);
    let tracer = observer::take_tracer();
    let (executed, tracer) = match (executed, tracer) {
        (Ok(executed), Some(tracer)) => (executed, tracer),
        (Err(error), _) => return answer_error(&error),
        (Ok(_), None) => return answer_failed("the tracer is gone"),
    };
    match executed.stop {
        Some(Stop::Interrupted) => return answer_failed("execution timeout"),
        Some(Stop::TooLarge) => return answer_failed(TOO_LARGE),
        None => {}
    }
    match json::finish(*tracer, vm, &transaction, &executed) {
        Ok(json) => {
            buffers::set_output(json);
            EXECUTED
        }
        Err(text) => answer_failed(&text),
    }
}
