g = (x for x in [])
g.gi_frame.f_back
