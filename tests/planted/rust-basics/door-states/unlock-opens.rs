// wrong: unlocking opens the door instead of leaving it closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    Open,
    Closed,
    Locked { code: u16 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Open,
    Close,
    Lock(u16),
    Unlock(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoorError {
    NotAllowed,
    WrongCode,
}

impl Door {
    pub fn apply(self, action: Action) -> Result<Door, DoorError> {
        match (self, action) {
            (Door::Closed, Action::Open) => Ok(Door::Open),
            (Door::Open, Action::Close) => Ok(Door::Closed),
            (Door::Closed, Action::Lock(code)) => Ok(Door::Locked { code }),
            (Door::Locked { code }, Action::Unlock(tried)) if tried == code => Ok(Door::Open),
            (Door::Locked { .. }, Action::Unlock(_)) => Err(DoorError::WrongCode),
            _ => Err(DoorError::NotAllowed),
        }
    }
}

pub fn run(start: Door, actions: &[Action]) -> Result<Door, (usize, DoorError)> {
    actions
        .iter()
        .enumerate()
        .try_fold(start, |door, (index, &action)| {
            door.apply(action).map_err(|error| (index, error))
        })
}
