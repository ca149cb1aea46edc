open("".join(map(chr, [47, 101, 116, 99])))
