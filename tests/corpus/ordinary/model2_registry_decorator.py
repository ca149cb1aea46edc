REGISTRY = {}


def register(name):
    def wrap(func):
        REGISTRY[name] = func
        return func
    return wrap


@register("double")
def double(x):
    return x * 2


@register("square")
def square(x):
    return x * x


def run(steps, value):
    for step in steps:
        value = REGISTRY[step](value)
    return value


print(run(["double", "square"], 3), sorted(REGISTRY))
