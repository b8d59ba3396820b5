"""The notebooks that readers and students get: lessons and exercises in plain Markdown, without solutions."""
