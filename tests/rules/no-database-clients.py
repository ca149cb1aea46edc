# ruleid: no-database-clients
import psycopg2

# ruleid: no-database-clients
from sqlalchemy import create_engine

# ruleid: no-database-clients
import mysql.connector

# ruleid: no-database-clients
from pymongo import MongoClient

# ruleid: no-database-clients
import redis

# ok: no-database-clients
import sqlite3

# ok: no-database-clients
redistributed = sqlite3.connect(":memory:")
