# ruleid: no-xml-parsers
import xml.dom.minidom

# ruleid: no-xml-parsers
from xml.sax import make_parser

# ruleid: no-xml-parsers
import xml.parsers.expat

# ruleid: no-xml-parsers
from lxml import etree

# ruleid: no-xml-parsers
parser = etree.XMLParser(resolve_entities=True)

# ok: no-xml-parsers
import xml.etree.ElementTree as ET

# ok: no-xml-parsers
root = ET.fromstring("<a/>")
