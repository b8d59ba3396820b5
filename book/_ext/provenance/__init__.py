"""Where everything that runs in a solve came from: derived by which formula, or written by hand and held by which test.

Nothing here is a list that somebody keeps. The four entries of the library are run (`entries`), what runs in them is
found in the compiled code (`runs`), each function says by what it was derived, and the lessons have stored which claims
are about that (`accounts`).
"""
