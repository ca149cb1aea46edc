import matplotlib.pyplot as plt


class Charts:
    if True:
        def chart(self):
            return plt


print(Charts().chart().np)
