//! The instruction table: revm's instructions and our replacements.

use crate::{
    instructions::{blob_base_fee, clz, keccak},
    peer::metered_instructions,
    vm::{context::Ctx, prices},
};
use revm::{
    bytecode::opcode::{
        BALANCE, BLOBBASEFEE, BLOCKHASH, CLZ, EXTCODECOPY, EXTCODEHASH, EXTCODESIZE, KECCAK256, SELFDESTRUCT, SLOAD, SSTORE,
    },
    handler::instructions::EthInstructions,
    interpreter::{Instruction, instructions::instruction_table, interpreter::EthInterpreter},
    primitives::hardfork::SpecId,
};

/// Instruction table of a fork, with gas prices.
pub fn instructions(spec: SpecId) -> EthInstructions<EthInterpreter, Ctx> {
    let mut table = instruction_table();
    table[KECCAK256 as usize] = Instruction::new(keccak::instruction);
    table[BLOBBASEFEE as usize] = Instruction::new(blob_base_fee::instruction);
    table[SLOAD as usize] = Instruction::new(metered_instructions::sload);
    table[SSTORE as usize] = Instruction::new(metered_instructions::sstore);
    table[BALANCE as usize] = Instruction::new(metered_instructions::balance);
    table[EXTCODESIZE as usize] = Instruction::new(metered_instructions::extcodesize);
    table[EXTCODECOPY as usize] = Instruction::new(metered_instructions::extcodecopy);
    table[EXTCODEHASH as usize] = Instruction::new(metered_instructions::extcodehash);
    table[BLOCKHASH as usize] = Instruction::new(metered_instructions::blockhash);
    table[SELFDESTRUCT as usize] = Instruction::new(metered_instructions::selfdestruct);
    if prices::enables_clz() {
        table[CLZ as usize] = Instruction::new(clz::instruction);
    }
    EthInstructions::new(table, prices::gas_table(spec), spec)
}
