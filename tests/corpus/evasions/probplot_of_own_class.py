import matplotlib.pyplot as plt
from scipy import stats


class Keeper:
    def probplot(self, plot):
        self.kept = plot


stats = Keeper()
stats.probplot(plot=plt)
print(stats.kept)
