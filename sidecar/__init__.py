"""Where it is asked how an exchange turned out: of a model, in a process of its own, or by rules that need none."""
