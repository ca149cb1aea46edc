import tools

# ruleid: no-debugger
breakpoint()
# ruleid: no-debugger
help("modules")
# ruleid: no-debugger
stop = breakpoint
# ruleid: no-debugger
tools.set_trace()

# ok: no-debugger
print("breakpoint")
# ok: no-debugger
tools.help("x")
