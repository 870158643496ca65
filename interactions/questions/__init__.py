"""The nine question kinds: asked, answered from coordinates, read and scored."""
