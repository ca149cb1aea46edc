print(*map(exec, ["print(1)"]))
