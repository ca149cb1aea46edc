open("".join(reversed("dwssap/cte/")))
