async def f():
    import subprocess
    subprocess.run(["id"])
