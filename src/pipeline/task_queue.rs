//! Wakes the dispatcher when few tasks are left, not after each one.
//!
//! A task takes a fraction of a millisecond. To wake another thread takes a worker several
//! microseconds each time, and more where the processor of that thread sleeps.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, Thread},
    time::Duration,
};

/// How long the dispatcher waits at most while there is still plenty to do. What is done by then is
/// reported, so that slow tasks do not hold up earlier ones.
const MAX_WAIT: Duration = Duration::from_millis(20);

/// The tasks of one dispatcher that are not done yet.
#[derive(Debug)]
pub(super) struct Tasks {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// Number of tasks that are not done yet.
    open: AtomicUsize,
    /// The dispatcher is woken when so few are left.
    few: usize,
    dispatcher: Thread,
}

/// A task that is not done until this is dropped, which happens even if it panics.
#[derive(Debug)]
pub(super) struct Task {
    shared: Arc<Shared>,
}

impl Tasks {
    /// No tasks. The calling thread is the dispatcher. It is woken when no more than `few` tasks
    /// are left.
    pub fn of_this_thread(few: usize) -> Tasks {
        Tasks { shared: Arc::new(Shared { open: AtomicUsize::new(0), few, dispatcher: thread::current() }) }
    }

    pub fn begin(&self) -> Task {
        self.shared.open.fetch_add(1, Ordering::Relaxed);
        Task { shared: Arc::clone(&self.shared) }
    }

    /// Waits until few tasks are left, or for a short time. May return earlier. Whether what is
    /// waited for is there has to be looked up before and after.
    pub fn wait(&self) {
        thread::park_timeout(MAX_WAIT);
    }

    /// Whether all tasks are done.
    pub fn is_done(&self) -> bool {
        // What the tasks did is visible then.
        self.shared.open.load(Ordering::Acquire) == 0
    }
}

impl Shared {
    /// Counts a task as done. Returns whether few are left.
    fn count_done(&self) -> bool {
        self.open.fetch_sub(1, Ordering::AcqRel) <= self.few + 1
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if self.shared.count_done() {
            self.shared.dispatcher.unpark();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatcher_is_woken_when_few_tasks_are_left() {
        let tasks = Tasks::of_this_thread(2);
        let begun: Vec<Task> = (0..4).map(|_| tasks.begin()).collect();
        let woken: Vec<bool> = begun.iter().map(|task| task.shared.count_done()).collect();
        assert_eq!(woken, [false, true, true, true]);
        begun.into_iter().for_each(std::mem::forget);
    }

    #[test]
    fn panicking_task_is_done() {
        let tasks = Tasks::of_this_thread(0);
        let (task, other) = (tasks.begin(), tasks.begin());
        assert!(!tasks.is_done());
        let panicked = thread::spawn(move || {
            let _task = task;
            // Without a message on the terminal.
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panicked.join().is_err());
        assert!(!tasks.is_done());
        drop(other);
        assert!(tasks.is_done());
    }
}
