"""What an assistant's model is offered: tools, resources and prompts, and how each is done. Nothing here knows the
protocol they are offered by."""
