class C:
    def __enter__(self):
        return self
    def __exit__(self, a, b, c):
        print(c.tb_next.tb_frame)
