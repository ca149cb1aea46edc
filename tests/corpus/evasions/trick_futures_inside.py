import concurrent.futures.thread as th
th.threading.settrace(print)
