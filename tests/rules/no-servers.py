# ruleid: no-servers
import http.server

# ruleid: no-servers
from http.server import HTTPServer

# ruleid: no-servers
import socketserver

# ruleid: no-servers
import webbrowser

# ruleid: no-servers
from flask import Flask

# ruleid: no-servers
import dash

# ruleid: no-servers
import pydoc

# ruleid: no-servers
import streamlit as st

# ok: no-servers
import dashing

# ok: no-servers
from http import HTTPStatus

# ok: no-servers
server = {"flask": HTTPStatus.OK}
