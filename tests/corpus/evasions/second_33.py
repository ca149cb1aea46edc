import copy
copy._reconstruct
