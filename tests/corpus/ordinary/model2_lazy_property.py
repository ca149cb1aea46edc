class Report:
    def __init__(self, rows):
        self.rows = rows
        self._cache = {}

    def __getitem__(self, key):
        if key not in self._cache:
            self._cache[key] = [row[key] for row in self.rows]
        return self._cache[key]

    def __contains__(self, key):
        return any(key in row for row in self.rows)

    def __call__(self, key):
        return sum(self[key]) / len(self)

    def __len__(self):
        return len(self.rows)

    def __bool__(self):
        return bool(self.rows)


report = Report([{"a": 1}, {"a": 3}])
print(report("a"), "a" in report, len(report), bool(report))
