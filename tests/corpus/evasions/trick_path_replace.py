open("|etc|passwd".replace("|", "/"))
