from http.client import HTTPSConnection
