import html
open(html.unescape("&sol;etc&sol;passwd"))
