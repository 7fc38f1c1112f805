"""What is asked of the log, kept ready: views that can be deleted and grow back, and the recall that reads them.

`catalog.py` names the views. `views/` are the tables, `reading/` is what a text says, `meaning/` the models and their
vectors, `recalling/` the answer to a question.
"""
