from abc import ABCMeta
metas = [ABCMeta]
C = metas[0]("C", (), {})
