import types
types.CodeType
