//! Traces in geth's JSON: struct logs, callTracer, prestateTracer, 4byteTracer, flatCallTracer, muxTracer, noopTracer.

use crate::{
    buffers,
    execute::{Executed, execute},
    fees::Fees,
    interrupt::Stop,
    observer,
    outcome::{EXECUTED, answer_error, answer_failed},
    transaction::read_transaction,
    vm::{Vm, with_vm},
    wire::Reader,
};
use alloy_rpc_types_trace::geth::GethDebugTracingOptions;
use revm::context::TxEnv;
use revm_inspectors::tracing::DebugInspector;
use std::io::{Error, Write};

/// Bytes of JSON that one trace may have.
const JSON_LIMIT: usize = 128 << 20;

/// Input: options as JSON text, transaction. Output: JSON. Nothing is kept.
#[unsafe(no_mangle)]
pub extern "C" fn trace(fees: u32) -> i32 {
    let input = buffers::take_input();
    let answer = with_vm(|vm| {
        let mut reader = Reader(&input);
        let tracer = match make_tracer(reader.bytes()) {
            Ok(tracer) => tracer,
            Err(text) => return answer_failed(&text),
        };
        let transaction = read_transaction(&mut reader, vm.ctx.cfg.chain_id);
        observer::set_tracer(Some(Box::new(tracer)));
        let executed = execute(vm, transaction.clone(), Fees::from_u32(fees), true);
        let tracer = observer::take_tracer();
        match (executed, tracer) {
            (Ok(executed), Some(tracer)) => answer_trace(vm, *tracer, &transaction, &executed),
            (Err(error), _) => answer_error(&error),
            (Ok(_), None) => answer_failed("the tracer is gone"),
        }
    });
    buffers::give_input_back(input);
    answer
}

fn make_tracer(options: &[u8]) -> Result<DebugInspector, String> {
    let options: GethDebugTracingOptions = serde_json::from_slice(options).map_err(|error| error.to_string())?;
    DebugInspector::new(options).map_err(|error| error.to_string())
}

fn answer_trace(vm: &mut Vm, mut tracer: DebugInspector, transaction: &TxEnv, executed: &Executed) -> i32 {
    match executed.stop {
        Some(Stop::Interrupted) => return answer_failed("execution timeout"),
        Some(Stop::TooLarge) => return answer_failed("trace too large"),
        None => {}
    }
    let block = vm.ctx.block.clone();
    let database = &mut vm.ctx.journaled_state.database;
    let trace = match tracer.get_result(None, transaction, &block, &executed.outcome, database) {
        Ok(trace) => trace,
        Err(error) => return answer_failed(&error.to_string()),
    };
    let mut out = Bounded(buffers::empty_output());
    if serde_json::to_writer(&mut out, &trace).is_err() {
        return answer_failed("trace too large");
    }
    buffers::set_output(out.0);
    EXECUTED
}

struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        if self.0.len() + bytes.len() > JSON_LIMIT {
            return Err(Error::other("too large"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
