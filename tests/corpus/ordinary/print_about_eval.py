print("never call eval() or __import__('os') or os.system(\"rm -rf /\")")
doc = "subprocess.run(['ls'])"
print(len(doc))
