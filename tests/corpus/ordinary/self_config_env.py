class Game:
    def __init__(self, home, away):
        self.home = home
        self.away = away
        self.modules = []
        self.obj = None
    def score(self):
        return f"{self.home}-{self.away}"
print(Game("a", "b").score())
