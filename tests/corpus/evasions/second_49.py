import sys
print(sys.argv, sys.exc_info()[2].tb_frame)
