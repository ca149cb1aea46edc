import json
tools = {"j": json}
tools["j"].codecs.open("x")
