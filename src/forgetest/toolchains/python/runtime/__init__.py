"""What runs inside the sandbox: a launcher, the tests' process and the sample's process.

Only the standard library is imported here, and the modules import each other relatively: the folder is copied out of
forgetest and run by the interpreter that judges. See docs/python.md.
"""
