# ruleid: no-mail-and-transfer
import smtplib

# ruleid: no-mail-and-transfer
from ftplib import FTP

# ruleid: no-mail-and-transfer
import xmlrpc.client

# ruleid: no-mail-and-transfer
from xmlrpc.client import ServerProxy

# ruleid: no-mail-and-transfer
import imaplib as mail

# ruleid: no-mail-and-transfer
import paramiko

# ok: no-mail-and-transfer
from email.message import EmailMessage

# ok: no-mail-and-transfer
smtp = {"smtplib": EmailMessage()}
