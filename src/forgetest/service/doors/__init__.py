"""Compatible doors: the interfaces of other services, so that changing a URL is enough.

What a form cannot express is said in the answer: never a silent zero, never a silent pass.
"""
