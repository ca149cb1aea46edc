import sys
def main():
    print("done")
    return 0
if __name__ == "__main__":
    sys.exit(main())
