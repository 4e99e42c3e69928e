"""Checkers: compare what a program printed, or a function returned, with what a test expects.

Pure functions of bytes. They run outside of any sandbox, where no sample can reach them; what they read may be written
to be slow to read, so their time and memory are linear in the size of both texts.
"""
