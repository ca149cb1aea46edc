async def f():
    pass
f().cr_frame
