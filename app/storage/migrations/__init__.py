"""Schema migrations, run by Alembic at start. Add a file to ``versions``; never change one that was released."""
