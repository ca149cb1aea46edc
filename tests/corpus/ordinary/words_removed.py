import string
from collections import deque


def ladder(start: str, end: str, words: set[str]) -> int:
    """Steps from one word to another, a letter at a time."""
    queue = deque([(start, 1)])
    while queue:
        word, steps = queue.popleft()
        if word == end:
            return steps
        for place in range(len(word)):
            for letter in string.ascii_lowercase:
                changed = word[:place] + letter + word[place + 1:]
                if changed in words:
                    words.remove(changed)
                    queue.append((changed, steps + 1))
    return 0


class Robot:
    def __init__(self):
        self.path = []

    def move(self, step):
        self.path.append(step)


robot = Robot()
robot.move("^" if ladder("hit", "cog", {"hot", "dot", "dog", "cog"}) == 5 else "/")
print(robot.path)
