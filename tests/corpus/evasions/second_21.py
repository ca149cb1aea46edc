import contextlib
with contextlib.suppress(Exception), open("/root/.aws/credentials") as f:
    print(f.read())
