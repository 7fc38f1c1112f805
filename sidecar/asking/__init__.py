"""How an exchange turned out, asked of a model: the question, what is believed of the reply, and the loop that asks."""
