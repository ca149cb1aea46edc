"""What runs inside a sandbox as PID 1: standard library only, streamed in by the host, never read from an image."""
