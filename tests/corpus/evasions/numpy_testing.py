from numpy.testing import assert_equal, runstring
