import heapq
from collections import Counter
class Node:
    def __init__(self, freq, char=None, left=None, right=None):
        self.freq, self.char, self.left, self.right = freq, char, left, right
    def __lt__(self, other): return self.freq < other.freq
def build(text):
    heap = [Node(f, c) for c, f in Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        a, b = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, Node(a.freq + b.freq, left=a, right=b))
    return heap[0]
def codes(node, prefix=""):
    if node.char is not None:
        yield node.char, prefix or "0"
        return
    yield from codes(node.left, prefix + "0")
    yield from codes(node.right, prefix + "1")
text = open("book.txt").read()
table = dict(codes(build(text)))
bits = "".join(table[c] for c in text)
data = int(bits, 2).to_bytes((len(bits) + 7) // 8, "big")
open("output/book.huf", "wb").write(data)
print(f"{len(text)} → {len(data)} bytes ({len(data) / len(text):.1%})")
