import zipfile
zipfile.main(["-e", "a.zip", "/"])
