open(f"{'etc':/>4}/passwd")
