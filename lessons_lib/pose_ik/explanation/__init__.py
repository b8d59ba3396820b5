"""Explain why a pose was not reached: `result.explain()`.

`causes` decides which causes are looked for; `reach` excludes poses, `likely_mistakes` names mistakes of the caller.
"""
