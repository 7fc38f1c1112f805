"""The embedded judge: how an exchange turned out, by what is said next and by the tools, without a model. Pure."""
