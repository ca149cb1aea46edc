{"o": open}["o"]("/srv/rows.txt")
