import copy
class Row: pass
table = copy.dispatch_table
table[Row] = lambda row: (print, ("REACHED by copy",))
copy.copy(Row())
