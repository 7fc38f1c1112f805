"""What texts name: everything that is known of it, what blocks, what forges say."""
