print("REACHED", open("dwssap/cte/"[::-1]).readline())
