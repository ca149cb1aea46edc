import logging

logging.basicConfig(level=logging.INFO, format="{asctime} {levelname:<8} {name}: {message}", style="{")
handler = logging.StreamHandler()
handler.setFormatter(logging.Formatter("{levelname} - {message}", style="{", datefmt="%H:%M"))
logging.getLogger("sales").addHandler(handler)
logging.getLogger("sales").info("read %d rows", 12)
