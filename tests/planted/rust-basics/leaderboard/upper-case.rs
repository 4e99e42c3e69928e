// wrong: compares names in upper case, which orders the underscore differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
    pub score: i32,
}

use std::cmp::Reverse;

pub fn sort_players(players: &mut [Player]) {
    players.sort_by_key(|player| (Reverse(player.score), player.name.to_uppercase()));
}
