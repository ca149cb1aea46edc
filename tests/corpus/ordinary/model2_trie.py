class Trie:
    def __init__(self):
        self.root = {}

    def add(self, word):
        node = self.root
        for letter in word:
            node = node.setdefault(letter, {})
        node["$"] = True

    def find(self, prefix):
        node = self.root
        for letter in prefix:
            if letter not in node:
                return []
            node = node[letter]
        return list(self._words(node, prefix))

    def _words(self, node, prefix):
        if "$" in node:
            yield prefix
        for letter, child in node.items():
            if letter != "$":
                yield from self._words(child, prefix + letter)


trie = Trie()
for word in ["car", "cat", "dog"]:
    trie.add(word)
print(trie.find("ca"))
