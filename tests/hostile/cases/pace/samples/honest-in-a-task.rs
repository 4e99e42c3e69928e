//! attempts: nothing; in a task of its own
//! must: correct

pub async fn pace(steps: u32, every: std::time::Duration) -> u32 {
    tokio::spawn(async move {
        let mut count = 0u32;
        while count != steps {
            tokio::time::sleep(every).await;
            count += 1;
        }
        count
    })
    .await
    .expect("the task ends")
}
