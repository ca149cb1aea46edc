import datetime
class T(datetime.tzinfo):
    def __reduce_ex__(self, p):
        return (eval, ("1",))
