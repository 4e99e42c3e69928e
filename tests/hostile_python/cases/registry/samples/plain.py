# honest: a metaclass with methods of its own
# must: correct
# verified: yes

class Registry(type):
    plugins = {}
    def __new__(mcls, name, bases, ns, **kw):
        cls = super().__new__(mcls, name, bases, ns)
        if bases:
            mcls.plugins[kw.get("key", name.lower())] = cls
        return cls
    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
    def __getitem__(cls, key):
        return cls.plugins[key]
    def __len__(cls):
        return len(Registry.plugins)
    def __contains__(cls, key):
        return key in Registry.plugins
    def __iter__(cls):
        return iter(sorted(Registry.plugins))

class Plugin(metaclass=Registry):
    def run(self):
        return "base"

class Upper(Plugin, key="up"):
    def run(self, text="x"):
        return text.upper()

class Lower(Plugin):
    def run(self, text="X"):
        return text.lower()
