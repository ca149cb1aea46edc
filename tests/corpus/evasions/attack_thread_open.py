import threading
threading.Thread(target=open, args=("/srv/rows.txt",)).start()
