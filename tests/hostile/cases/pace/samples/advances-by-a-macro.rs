//! attempts: move the paused clock by a name that a macro puts together
//! must: not correct
//! class: clock

macro_rules! waited {
    ($module:ident $function:ident $time:expr) => { tokio::$module::$function($time).await };
}
pub async fn pace(steps: u32, every: std::time::Duration) -> u32 {
    for _ in 0..steps {
        waited!(time advance every);
    }
    steps
}
