hook = breakpoint
