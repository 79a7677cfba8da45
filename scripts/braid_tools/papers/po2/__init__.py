"""po2-message-scheduling."""
