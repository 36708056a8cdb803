//! A static that only one thread can see: WebAssembly without threads has one.

use core::cell::UnsafeCell;

pub struct Single<T>(UnsafeCell<T>);

// SAFETY: the module is built without threads, so values are never shared between two.
unsafe impl<T> Sync for Single<T> {}

impl<T> Single<T> {
    pub const fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Lends the value. The closure must not come back to the same static; the exports that the host may call from inside
    /// an import (`buffers`, `journal`, `nested`) use none that is lent while an import runs.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: one thread, and no nested use of the same static (above).
        use_it(unsafe { &mut *self.0.get() })
    }
}
