import configparser
import io
import tomllib

parser = configparser.ConfigParser()
parser.read_string("[plot]\nwidth = 8\ngrid = yes\n")
parser["extra"] = {"a": "1"}
out = io.StringIO()
parser.write(out)
data = tomllib.loads('title = "x"\n[limits]\nlow = 1\n')
with open("settings.toml", "rb") as file:
    settings = tomllib.load(file)
with open("new.ini", "w") as file:
    parser.write(file)
print(parser.getboolean("plot", "grid"), data["limits"], settings.get("name"), out.getvalue().count("\n"))
