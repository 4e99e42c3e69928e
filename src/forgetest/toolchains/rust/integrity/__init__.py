"""What a sample tried: in its source, in its object, through holes in the compiler."""
