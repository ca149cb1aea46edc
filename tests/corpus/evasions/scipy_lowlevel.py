from scipy import LowLevelCallable
