def evaluate(text):
    try:
        return int(eval(text.strip().replace("/", "//")))
    except ZeroDivisionError:
        raise
    except Exception as error:
        raise ValueError from error
