"""Exchanges from elsewhere: each source is read lazily into one form, and taken in so that twice does no harm."""
