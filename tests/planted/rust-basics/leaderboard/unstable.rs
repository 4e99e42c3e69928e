// wrong: uses an unstable sort, which does not keep the order of equal players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    pub score: i32,
}

pub fn sort_players(players: &mut [Player]) {
    players.sort_unstable_by(|a, b| {
        b.score.cmp(&a.score).then_with(|| {
            a.name
                .to_ascii_lowercase()
                .cmp(&b.name.to_ascii_lowercase())
        })
    });
}
