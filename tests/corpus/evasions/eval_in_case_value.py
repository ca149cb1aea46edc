match "1":
    case x if (e := eval):
        e(x)
