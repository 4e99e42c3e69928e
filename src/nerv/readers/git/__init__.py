"""Git repositories, patches and logs."""
