open("\x2fetc\x2fpasswd")
