use std::future::Future;
pub fn later(x: u8) -> impl Future<Output = u8> {
    async move { return x }
}
pub async fn waits() -> u8 {
    let guard = std::sync::Mutex::new(1);
    let held = guard.lock().unwrap();
    later(*held).await
}
pub fn check() {
    drop(waits());
}
