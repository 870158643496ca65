"""Routes: parse the request, call the library, answer."""
