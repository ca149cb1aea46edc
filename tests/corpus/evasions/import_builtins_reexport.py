from json import codecs
