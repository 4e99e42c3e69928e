// wrong: sorts upwards and reverses, which also reverses the names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    pub score: i32,
}

pub fn sort_players(players: &mut [Player]) {
    players.sort_by_key(|player| (player.score, player.name.to_ascii_lowercase()));
    players.reverse();
}
