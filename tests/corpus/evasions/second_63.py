exec.__call__("1")
