"""podman and docker: a container for each step."""
