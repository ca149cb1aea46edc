exec = print
del exec
exec("1")
