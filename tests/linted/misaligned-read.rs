pub fn read() -> u32 {
    let bytes = [0u8; 16];
    let odd = 1 - bytes.as_ptr() as usize % 2;
    unsafe { *(bytes.as_ptr().add(odd) as *const u32) }
}
pub fn check() {
    assert_eq!(read(), 0);
}
