import nltk
import seaborn as sns
import sklearn.datasets as examples
import statsmodels.api as sm

# ruleid: no-downloads
from scipy import datasets

# ruleid: no-downloads
from scipy.datasets import face

# ruleid: no-downloads
from sklearn.datasets import fetch_openml

# ruleid: no-downloads
import pooch

# ruleid: no-downloads
tips = sns.load_dataset("tips")
# ruleid: no-downloads
nltk.download("punkt")
# ruleid: no-downloads
homes = examples.fetch_california_housing()
# ruleid: no-downloads
duncan = sm.datasets.get_rdataset("Duncan")

# ok: no-downloads
from sklearn.datasets import load_iris, make_blobs

# ok: no-downloads
iris = examples.load_iris()
# ok: no-downloads
dataset = {"load_dataset": iris}
