"""The commands, each in the module of its name; ``given`` and ``known`` have those that are alike."""
