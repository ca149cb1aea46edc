class Box:
    pass
box = Box()
box.style = open("template.txt").read()
print(box.style.format(print))
