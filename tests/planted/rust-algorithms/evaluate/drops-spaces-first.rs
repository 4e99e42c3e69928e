// wrong: removes all spaces before parsing, so that "1 2" becomes 12.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvalError {
    Syntax,
    DivisionByZero,
    Overflow,
}

pub fn evaluate(expression: &str) -> Result<i64, EvalError> {
    let expression: String = expression.chars().filter(|&c| c != ' ').collect();
    let mut parser = Parser { rest: &expression };
    let value = parser.sum()?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(EvalError::Syntax),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches(' ');
        self.rest.chars().next()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        found
    }

    fn sum(&mut self) -> Result<i64, EvalError> {
        let mut value = self.product()?;
        loop {
            let result = if self.accept('+') {
                value.checked_add(self.product()?)
            } else if self.accept('-') {
                value.checked_sub(self.product()?)
            } else {
                return Ok(value);
            };
            value = result.ok_or(EvalError::Overflow)?;
        }
    }

    fn product(&mut self) -> Result<i64, EvalError> {
        let mut value = self.factor()?;
        loop {
            let result = if self.accept('*') {
                value.checked_mul(self.factor()?)
            } else if self.accept('/') {
                let divisor = self.factor()?;
                if divisor == 0 {
                    return Err(EvalError::DivisionByZero);
                }
                value.checked_div(divisor)
            } else {
                return Ok(value);
            };
            value = result.ok_or(EvalError::Overflow)?;
        }
    }

    fn factor(&mut self) -> Result<i64, EvalError> {
        if self.accept('-') {
            return self.factor()?.checked_neg().ok_or(EvalError::Overflow);
        }
        if self.accept('(') {
            let value = self.sum()?;
            return if self.accept(')') {
                Ok(value)
            } else {
                Err(EvalError::Syntax)
            };
        }
        self.number()
    }

    fn number(&mut self) -> Result<i64, EvalError> {
        let length = self
            .rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(self.rest.len());
        if length == 0 {
            return Err(EvalError::Syntax);
        }
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        digits.parse().map_err(|_| EvalError::Overflow)
    }
}
