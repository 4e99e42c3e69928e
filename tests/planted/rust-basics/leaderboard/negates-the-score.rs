// wrong: negates the score to sort downwards, which overflows for i32::MIN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    pub score: i32,
}

pub fn sort_players(players: &mut [Player]) {
    players.sort_by_key(|player| (-player.score, player.name.to_ascii_lowercase()));
}
