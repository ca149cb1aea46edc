import abc
import errno
from abc import ABCMeta, abstractmethod


class Source(metaclass=ABCMeta):
    @property
    @abstractmethod
    def name(self):
        """What it is called."""

    @abstractmethod
    def rows(self):
        """Its rows."""


class Sink(metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def put(self, row):
        """Takes a row."""


class File(Source, Sink):
    name = "rows.csv"

    def rows(self):
        try:
            with open(self.name) as file:
                return file.read().splitlines()
        except OSError as error:
            if error.errno != errno.ENOENT:
                raise
            return []

    def put(self, row):
        print(row)


print(File().rows(), issubclass(File, Sink))
