# Signs of several characters: emoji, and a script that spells with a joiner.
print("Report by 👨‍💻, 🏳️‍🌈, می‌خواهم")
