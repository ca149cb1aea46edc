import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.backends.backend_pdf import PdfPages

df = pd.read_csv("series.csv")
with PdfPages("report.pdf") as pdf:
    for column in df.select_dtypes("number").columns:
        fig, axes = plt.subplots(1, 2, figsize=(8, 3))
        df[column].plot(ax=axes[0], title=column)
        df[column].plot.hist(ax=axes[1], bins=20)
        pdf.savefig(fig)
        plt.close(fig)
    pdf.infodict()["Title"] = "Report"
df.hist(bins=10, figsize=(6, 4))
plt.savefig("all.png")
